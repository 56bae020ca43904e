package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import io.sluice.cluster.ProxyProcess;
import io.sluice.cluster.ProxySpec;
import io.sluice.it.cluster.Capability;
import io.sluice.it.cluster.CassandraCluster;
import io.sluice.testkit.FreePorts;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Three proxies that find each other, killed and restarted in turn while drivers of three languages
 * read, write and scan through all of them: no client gets an error, and no scan has a row twice or
 * lacks one. The drivers of Java and Python repeat idempotent requests by default; gocql does with
 * its simple policy, and never without one. Each proxy has an address of its own, because gocql
 * finds a host by its address alone. {@code -Dsluice.it.rounds} is how often each proxy is killed,
 * and then restarted.
 */
@Tag("long")
@CassandraCluster(needs = Capability.IN_PROCESS_PROXY)
class FleetFaultIT {

  private static final int PROXIES = 3;

  /** The last byte of the first proxy's address, above those of nodes. */
  private static final int FIRST = 31;

  private static final int ROWS = 2_000;
  private static final int CLIENTS = 8;
  private static final int ROUNDS = Integer.getInteger("sluice.it.rounds", 1);
  private static final Duration START = Duration.ofSeconds(60);

  @TempDir private Path temp = Path.of("");

  private final HttpClient http = HttpClient.newHttpClient();
  private final List<ProxySpec> specs = new ArrayList<>();
  private final List<ProxyProcess> proxies = new ArrayList<>();
  private final Queue<String> errors = new ConcurrentLinkedQueue<>();
  private final AtomicInteger answered = new AtomicInteger();
  private final AtomicBoolean ending = new AtomicBoolean();

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void proxies_that_are_killed_and_restarted_cost_no_client_an_error(boolean homes)
      throws Exception {
    Path launcher = Launcher.in(temp);
    InetSocketAddress node = Stage.plain().direct().address();
    for (int i = 0; i < PROXIES; i++) {
      int port = FreePorts.next();
      ProxySpec spec =
          new ProxySpec("p", List.of(node), "datacenter1", port, FreePorts.next(), "")
              .at("127.0.0." + (FIRST + i))
              .inFleet();
      specs.add(homes ? spec.withHomes() : spec);
    }
    ProxyProcess.initFleet(launcher, temp, specs.get(0), 3);
    try {
      for (ProxySpec spec : specs) {
        proxies.add(ProxyProcess.start(launcher, temp, spec));
      }
      underLoad(launcher);
    } finally {
      proxies.forEach(ProxyProcess::close);
      try (CqlSession session = JavaDriver.open(Stage.plain().direct(), Wire.USUAL)) {
        new Place(session, Stage.plain().direct(), "sluice").change("DROP KEYSPACE sluice");
      }
    }
  }

  private void underLoad(Path launcher) throws Exception {
    try (CqlSession session = throughAll()) {
      Target target = new Target("Sluice", true, specs.get(0).address(), "flt_");
      Place place = new Place(session, target, target.keyspace("fleet"));
      SchemaScripts.keyspace(place);
      List<Integer> keys = Scans.fill(place, ROWS);
      PreparedStatement read = place.prepare("SELECT v FROM $ks.t WHERE k = ?");
      PreparedStatement write = place.prepare("INSERT INTO $ks.t (k, v) VALUES (?, ?)");
      for (int i = 0; i < CLIENTS; i++) {
        ask(session, read, write, i);
      }
      awaitMembers();
      try (DriverLoad python = python(place.keyspace());
          DriverLoad gocql = gocql(place.keyspace())) {
        List<String> failed =
            new Scans(session, place.keyspace(), keys)
                .during(
                    () -> {
                      for (int round = 0; round < ROUNDS; round++) {
                        killEach(launcher);
                        restartEach(launcher);
                      }
                    });
        ending.set(true);
        assertThat(failed).as("scans that failed").isEmpty();
        assertThat(errors).as("of %d requests", answered.get()).isEmpty();
        assertThat(answered).hasValueGreaterThan(CLIENTS);
        requireNoError("python", python.end());
        requireNoError("gocql", gocql.end());
      }
    }
  }

  private void killEach(Path launcher) throws InterruptedException {
    for (int i = 0; i < PROXIES; i++) {
      proxies.get(i).kill();
      awaitMembersWithout(i);
      startAgain(launcher, i);
    }
  }

  private void restartEach(Path launcher) throws InterruptedException {
    for (int i = 0; i < PROXIES; i++) {
      proxies.get(i).close();
      startAgain(launcher, i);
    }
  }

  private DriverLoad python(String keyspace) throws Exception {
    Path home = Clients.ready("python");
    List<String> line =
        Clients.command(home.resolve("bin/python"), home.resolve("load.py"), ROWS, keyspace);
    line.addAll(addresses());
    return DriverLoad.start(line, home);
  }

  private DriverLoad gocql(String keyspace) throws Exception {
    Path home = Clients.ready("go");
    InetSocketAddress first = specs.get(0).address();
    List<String> line =
        Clients.command(
            home.resolve("client"), first.getHostString(), first.getPort(), keyspace, "load", ROWS);
    line.addAll(addresses());
    return DriverLoad.start(line, home);
  }

  private List<String> addresses() {
    return specs.stream().map(spec -> spec.host() + ":" + spec.port()).toList();
  }

  private static void requireNoError(String driver, List<String> report) {
    System.out.println(driver + ": " + report);
    assertThat(report).as(driver).noneMatch(line -> line.startsWith("error: "));
    assertThat(report)
        .as(driver)
        .anyMatch(line -> line.matches("requests: [1-9]\\d+"))
        .anyMatch(line -> line.matches("scans: [1-9]\\d*"));
  }

  private void startAgain(Path launcher, int proxy) throws InterruptedException {
    proxies.set(proxy, ProxyProcess.start(launcher, temp, specs.get(proxy)));
    awaitMembers();
  }

  private CqlSession throughAll() {
    CqlSessionBuilder builder = CqlSession.builder().withLocalDatacenter("datacenter1");
    specs.forEach(spec -> builder.addContactPoint(spec.address()));
    return builder
        .withConfigLoader(
            DriverConfigLoader.programmaticBuilder()
                .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(20))
                .withBoolean(DefaultDriverOption.REQUEST_DEFAULT_IDEMPOTENCE, true)
                .build())
        .build();
  }

  /** The same client again and again; one of four writes what is there. */
  private void ask(CqlSession session, PreparedStatement read, PreparedStatement write, int n) {
    if (ending.get()) {
      return;
    }
    int key = Math.floorMod(n * 31, ROWS);
    session
        .executeAsync(n % 4 == 0 ? write.bind(key, "row " + key) : read.bind(key))
        .whenComplete(
            (rows, error) -> {
              if (error != null) {
                errors.add(error.toString());
              }
              answered.incrementAndGet();
              ask(session, read, write, n + CLIENTS + 1);
            });
  }

  private void awaitMembers() {
    awaitMembersWithout(-1);
  }

  /** Until all proxies but one know of all that are there. */
  private void awaitMembersWithout(int gone) {
    String wanted = "sluice_fleet_members " + (gone < 0 ? PROXIES : PROXIES - 1) + ".0";
    for (int i = 0; i < PROXIES; i++) {
      if (i != gone) {
        URI page = proxies.get(i).admin().resolve("/metrics");
        await().atMost(START).until(() -> get(page).contains(wanted));
      }
    }
  }

  private String get(URI page) throws IOException, InterruptedException {
    return http.send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.ofString())
        .body();
  }
}
