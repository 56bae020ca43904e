package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.Proxy;
import io.sluice.cluster.LocalCluster;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.it.cluster.Capability;
import io.sluice.it.cluster.CassandraCluster;
import io.sluice.it.cluster.NodeSettings;
import io.sluice.watch.ClusterConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Six roles scan three tables while their grants, their group, their passwords and the roles
 * themselves change at random. No role gets a row that Cassandra would refuse, except within the
 * validity of Cassandra's caches. {@code -Dsluice.it.seed=7 -Dsluice.it.seconds=300} runs longer.
 */
@CassandraCluster(needs = {Capability.KILL, Capability.IN_PROCESS_PROXY})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RolesIT {

  private static final long SEED = Long.getLong("sluice.it.seed", 42);
  private static final long SECONDS = Long.getLong("sluice.it.seconds", 20);
  private static final int PORTS_FURTHER = 80;
  private static final int ROLES = 6;
  private static final int TABLES = 3;
  private static final int ROWS = 400;
  private static final int CLIENTS = 12;
  private static final int SCANS_AT_ONCE = 8;
  private static final String CASSANDRA = "cassandra";

  /** The validity of each of Cassandra's caches. Permissions pass through two of them. */
  private static final String CACHED = "500ms";

  private static final long CACHES_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** Cassandra accepts a new password of a role only every five seconds. */
  private static final long PASSWORD_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(6);

  /** The table that a group may read. */
  private static final int GROUP_TABLE = TABLES - 1;

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final List<Role> roles = IntStream.range(0, ROLES).mapToObj(Role::new).toList();
  private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
  private final AtomicInteger given = new AtomicInteger();
  private final AtomicInteger refused = new AtomicInteger();
  private final AtomicInteger failed = new AtomicInteger();
  private final AtomicInteger loggedOut = new AtomicInteger();
  private final AtomicInteger logins = new AtomicInteger();
  private final AtomicInteger refusedLogins = new AtomicInteger();
  private final AtomicInteger changes = new AtomicInteger();

  private LocalCluster cluster;
  private Proxy proxy;
  private CqlSession superuser;
  private volatile boolean ended;

  /** A role, with the history of its permissions. */
  private record Role(
      String name,
      List<Rights> tables,
      Rights group,
      List<Password> passwords,
      AtomicLong changed) {
    Role(int number) {
      this(
          "role_" + number,
          IntStream.range(0, TABLES).mapToObj(t -> new Rights()).toList(),
          new Rights(),
          new CopyOnWriteArrayList<>(),
          new AtomicLong());
    }

    boolean mayPerhapsRead(int table, long from, long to) {
      return tables.get(table).perhapsAt(from, to)
          || (table == GROUP_TABLE && group.perhapsAt(from, to));
    }

    boolean maySurelyRead(int table, long from, long to) {
      return tables.get(table).surelyAt(from, to)
          || (table == GROUP_TABLE && group.surelyAt(from, to));
    }
  }

  private record Password(String text, Rights valid) {}

  /** A role that has logged in, with the password used. */
  private record Login(Role role, Password password) {}

  @BeforeAll
  void start() throws IOException {
    cluster =
        LocalCluster.start(
            OwnNodes.two("roles", PORTS_FURTHER)
                .withNodes(2, 2)
                .withAuth(true)
                .withJvmArg(NodeSettings.CHEAP_HASHES)
                .withYaml("roles_validity", CACHED)
                .withYaml("permissions_validity", CACHED)
                .withYaml("credentials_validity", CACHED),
            line -> {});
    SplitConfig split = new SplitConfig(SplitConfig.Parallel.WAVES, 100, 8, 8, 16 << 20, true);
    proxy =
        Proxy.start(
            OwnNodes.proxyBefore(
                    cluster.contactPoints(), new ClusterConfig.Credentials(CASSANDRA, CASSANDRA))
                .withSplit(split),
            meters);
    Target node = new Target("Cassandra", false, cluster.contactPoints().get(0), "dir_");
    superuser = JavaDriver.openAs(node, CASSANDRA, CASSANDRA);
    Place place = new Place(superuser, node, "roles_it");
    place.change("CREATE KEYSPACE $ks WITH replication = " + cluster.replication());
    for (int table = 0; table < TABLES; table++) {
      place.change("CREATE TABLE $ks.t" + table + " (k int PRIMARY KEY, v text)");
      for (int k = 0; k < ROWS; k++) {
        superuser.execute(
            "INSERT INTO roles_it.t%d (k, v) VALUES (%d, 'row %d')".formatted(table, k, k));
      }
    }
    superuser.execute("CREATE ROLE readers");
    superuser.execute("GRANT SELECT ON roles_it.t" + GROUP_TABLE + " TO readers");
    roles.forEach(this::create);
  }

  @AfterAll
  void end() {
    if (superuser != null) {
      superuser.close();
    }
    if (proxy != null) {
      proxy.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  private void create(Role role) {
    setPassword(role, "CREATE ROLE %s WITH LOGIN = true AND PASSWORD = '%s'");
  }

  private void setPassword(Role role, String change) {
    Password next = new Password("secret " + role.passwords().size(), new Rights());
    List<Password> before = List.copyOf(role.passwords());
    role.passwords().add(next);
    Runnable made = () -> superuser.execute(change.formatted(role.name(), next.text()));
    role.changed().set(System.nanoTime());
    Password last = before.isEmpty() ? null : before.get(before.size() - 1);
    if (last == null || !last.valid().isThere()) {
      next.valid().give(made);
    } else {
      last.valid().take(() -> next.valid().give(made));
    }
  }

  /** Changes one property of one role. */
  private void change(SplittableRandom random) {
    changes.incrementAndGet();
    Role role = roles.get(random.nextInt(ROLES));
    int what = random.nextInt(12);
    if (what < 7) {
      int table = random.nextInt(TABLES);
      turn(role.tables().get(table), "SELECT ON roles_it.t" + table, role);
    } else if (what < 9) {
      turn(role.group(), "readers", role);
    } else if (System.nanoTime() - role.changed().get() < PASSWORD_PAUSE_NANOS) {
      turn(role.tables().get(0), "SELECT ON roles_it.t0", role);
    } else if (what < 11) {
      setPassword(role, "ALTER ROLE %s WITH PASSWORD = '%s'");
    } else {
      dropAndCreate(role);
    }
  }

  private void turn(Rights rights, String what, Role role) {
    if (rights.isThere()) {
      rights.take(() -> superuser.execute("REVOKE " + what + " FROM " + role.name()));
    } else {
      rights.give(() -> superuser.execute("GRANT " + what + " TO " + role.name()));
    }
  }

  /** Drops and creates a role, which loses its permissions. */
  private void dropAndCreate(Role role) {
    List<Rights> all = new ArrayList<>(role.tables());
    all.add(role.group());
    all.add(role.passwords().get(role.passwords().size() - 1).valid());
    Runnable drop = () -> superuser.execute("DROP ROLE " + role.name());
    for (Rights each : all) {
      if (each.isThere()) {
        Runnable inner = drop;
        drop = () -> each.take(inner);
      }
    }
    drop.run();
    create(role);
  }

  private void changeOnAndOn() throws InterruptedException {
    SplittableRandom random = new SplittableRandom(SEED);
    while (!ended) {
      change(random);
      TimeUnit.MILLISECONDS.sleep(random.nextInt(20, 600));
    }
  }

  private void readOnAndOn(int client) throws InterruptedException {
    SplittableRandom random = new SplittableRandom(SEED * 1_000 + client);
    Target sluice = new Target("Sluice", true, proxy.address(), "slu_");
    while (!ended) {
      Role role = roles.get(random.nextInt(ROLES));
      List<Password> known = List.copyOf(role.passwords());
      int back = random.nextInt(4) == 0 ? random.nextInt(3) : 0;
      Password password = known.get(Math.max(0, known.size() - 1 - back));
      long begin = System.nanoTime();
      try (CqlSession session = JavaDriver.openAs(sluice, role.name(), password.text())) {
        logins.incrementAndGet();
        if (!password.valid().perhapsAt(begin - CACHES_NANOS, System.nanoTime())) {
          wrong.add(role.name() + " logged in with a password that was not its own");
        }
        for (int rounds = random.nextInt(2, 8); rounds > 0 && !ended; rounds--) {
          scan(session, new Login(role, password), random);
        }
      } catch (AllNodesFailedException e) {
        refusedLogins.incrementAndGet();
        if (password.valid().surelyAt(begin - CACHES_NANOS, System.nanoTime())) {
          wrong.add(role.name() + " was refused with its own password: " + e.getAllErrors());
        }
      }
    }
  }

  /** Sends several scans at once, so that they queue and share scans. */
  private void scan(CqlSession session, Login login, SplittableRandom random)
      throws InterruptedException {
    int table = random.nextInt(TABLES);
    List<Runnable> outcomes = new ArrayList<>();
    for (int i = 0; i < SCANS_AT_ONCE; i++) {
      SimpleStatement read = statement(table, random).setTimeout(Duration.ofSeconds(30));
      long begin = System.nanoTime();
      var answer = session.executeAsync(read).toCompletableFuture();
      outcomes.add(
          () -> {
            try {
              judge(login.role(), table, begin, answer.join(), read);
            } catch (CompletionException e) {
              judge(login, table, begin, e.getCause());
            }
          });
    }
    outcomes.forEach(Runnable::run);
    further(session, login, table, random);
  }

  /** Reads page by page, with pauses in which a permission may be revoked. */
  private void further(CqlSession session, Login login, int table, SplittableRandom random)
      throws InterruptedException {
    SimpleStatement read =
        SimpleStatement.newInstance("SELECT k, v FROM roles_it.t" + table).setPageSize(30);
    ByteBuffer state = null;
    for (int page = 0; page < 4; page++) {
      long begin = System.nanoTime();
      try {
        AsyncResultSet answer =
            session.executeAsync(read.setPagingState(state)).toCompletableFuture().join();
        judge(login.role(), table, begin, answer, read);
        state = answer.getExecutionInfo().getPagingState();
      } catch (CompletionException e) {
        judge(login, table, begin, e.getCause());
        return;
      }
      TimeUnit.MILLISECONDS.sleep(random.nextInt(page == 1 ? 3_000 : 100));
    }
  }

  private static SimpleStatement statement(int table, SplittableRandom random) {
    String from = " FROM roles_it.t" + table;
    return SimpleStatement.newInstance(
        switch (random.nextInt(5)) {
          case 0 -> "SELECT count(*)" + from;
          case 1 -> "SELECT k, v" + from + " WHERE k = " + random.nextInt(ROWS);
          case 2 -> "SELECT k, v" + from + " LIMIT " + random.nextInt(1, ROWS);
          default -> "SELECT k, v" + from;
        });
  }

  private void judge(
      Role role, int table, long begin, AsyncResultSet answer, SimpleStatement read) {
    boolean some = answer.currentPage().iterator().hasNext();
    given.incrementAndGet();
    if (some && !role.mayPerhapsRead(table, begin - CACHES_NANOS, System.nanoTime())) {
      wrong.add(role.name() + " was given rows: " + read.getQuery());
    }
  }

  /** Judges an error. Sluice closes a connection whose password the nodes no longer accept. */
  private void judge(Login login, int table, long begin, Throwable error) {
    Role role = login.role();
    long now = System.nanoTime();
    if (error instanceof UnauthorizedException) {
      refused.incrementAndGet();
      if (role.maySurelyRead(table, begin - CACHES_NANOS, now)) {
        wrong.add(role.name() + " was refused table " + table + ": " + error.getMessage());
      }
    } else if (login.password().valid().surelyAt(begin - CACHES_NANOS, now)) {
      failed.incrementAndGet();
      System.out.println("roles: " + role.name() + ", table " + table + ": " + error);
    } else {
      loggedOut.incrementAndGet();
    }
  }

  @Test
  void no_role_gets_a_row_that_it_may_not_read() throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    List<Future<?>> running = new ArrayList<>();
    running.add(threads.submit(callable(this::changeOnAndOn)));
    for (int i = 0; i < CLIENTS; i++) {
      int client = i;
      running.add(threads.submit(callable(() -> readOnAndOn(client))));
    }
    TimeUnit.SECONDS.sleep(SECONDS);
    ended = true;
    for (Future<?> each : running) {
      each.get();
    }
    threads.shutdown();
    double shared = meters.get("sluice.split.shared").counter().count();
    System.out.printf(
        "roles, seed %d, %d s: %s changes, %s logins, %s refused; %s answers, %s unauthorized, %s"
            + " of passwords that were gone, %s failed; %.0f pieces were read for another one%n",
        SEED, SECONDS, changes, logins, refusedLogins, given, refused, loggedOut, failed, shared);
    assertThat(wrong).isEmpty();
    assertThat(failed.get()).as("other errors").isLessThanOrEqualTo(given.get() / 100);
    assertThat(given.get()).as("answers").isPositive();
    assertThat(refused.get()).as("refusals").isPositive();
    assertThat(shared).as("pieces that were read for another one").isPositive();
  }

  /** A part of a run, on its own thread. */
  private interface Part {
    void run() throws InterruptedException;
  }

  private static Callable<Boolean> callable(Part part) {
    return () -> {
      part.run();
      return true;
    };
  }
}
