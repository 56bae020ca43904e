package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Idempotent reads, writes and scans of one table through several proxies, by drivers of three
 * languages. The drivers of Java and Python repeat idempotent requests by default; gocql does with
 * its simple policy, and never without one.
 */
final class FleetLoad {

  private static final int ROWS = 2_000;
  private static final int CLIENTS = 8;

  private final List<InetSocketAddress> proxies;
  private final Queue<String> errors = new ConcurrentLinkedQueue<>();
  private final AtomicInteger answered = new AtomicInteger();
  private final AtomicBoolean ending = new AtomicBoolean();

  /** The pause of each client leaves cores to proxies that start. */
  private final Executor later = CompletableFuture.delayedExecutor(5, TimeUnit.MILLISECONDS);

  private FleetLoad(List<InetSocketAddress> proxies) {
    this.proxies = proxies;
  }

  /**
   * Checks that no client of these proxies gets an error during {@code happening}, and that no scan
   * has a row twice or lacks one.
   */
  static void requireNoErrorDuring(List<InetSocketAddress> proxies, Scans.Happening happening)
      throws Exception {
    new FleetLoad(proxies).during(happening);
  }

  private void during(Scans.Happening happening) throws Exception {
    try (CqlSession session = throughAll()) {
      Target target = new Target("Sluice", true, proxies.get(0), "flt_");
      Place place = new Place(session, target, target.keyspace("fleet"));
      SchemaScripts.keyspace(place);
      List<Integer> keys = Scans.fill(place, ROWS);
      PreparedStatement read = place.prepare("SELECT v FROM $ks.t WHERE k = ?");
      PreparedStatement write = place.prepare("INSERT INTO $ks.t (k, v) VALUES (?, ?)");
      for (int i = 0; i < CLIENTS; i++) {
        ask(session, read, write, i);
      }
      try (DriverLoad python = python(place.keyspace());
          DriverLoad gocql = gocql(place.keyspace())) {
        Scans scans = new Scans(session, place.keyspace(), keys);
        List<String> failed = scans.during(happening);
        ending.set(true);
        System.out.printf("java: requests: %d, scans: %d%n", answered.get(), scans.whole());
        List<String> ofPython = reported("python", python);
        List<String> ofGocql = reported("gocql", gocql);
        assertThat(failed).as("scans that failed").isEmpty();
        assertThat(errors).as("of %d requests", answered.get()).isEmpty();
        assertThat(answered).hasValueGreaterThan(CLIENTS);
        requireNoError("python", ofPython);
        requireNoError("gocql", ofGocql);
      }
    }
  }

  private CqlSession throughAll() {
    CqlSessionBuilder builder = CqlSession.builder().withLocalDatacenter("datacenter1");
    proxies.forEach(builder::addContactPoint);
    return builder
        .withConfigLoader(
            DriverConfigLoader.programmaticBuilder()
                .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(20))
                .withBoolean(DefaultDriverOption.REQUEST_DEFAULT_IDEMPOTENCE, true)
                .build())
        .build();
  }

  /** The same client again and again; one of four requests writes what is there. */
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
                String said = LocalTime.now(ZoneId.systemDefault()) + " " + error;
                System.err.println(said);
                errors.add(said);
              }
              answered.incrementAndGet();
              later.execute(() -> ask(session, read, write, n + CLIENTS + 1));
            });
  }

  private DriverLoad python(String keyspace) throws Exception {
    Path home = Clients.ready("python");
    List<String> line =
        Clients.command(home.resolve("bin/python"), home.resolve("load.py"), ROWS, keyspace);
    line.addAll(hostsAndPorts());
    return DriverLoad.start(line, home);
  }

  private DriverLoad gocql(String keyspace) throws Exception {
    Path home = Clients.ready("go");
    InetSocketAddress first = proxies.get(0);
    List<String> line =
        Clients.command(
            home.resolve("client"), first.getHostString(), first.getPort(), keyspace, "load", ROWS);
    line.addAll(hostsAndPorts());
    return DriverLoad.start(line, home);
  }

  private List<String> hostsAndPorts() {
    return proxies.stream().map(each -> each.getHostString() + ":" + each.getPort()).toList();
  }

  private static List<String> reported(String driver, DriverLoad load) throws Exception {
    List<String> report = load.end();
    System.out.println(driver + ": " + report);
    return report;
  }

  private static void requireNoError(String driver, List<String> report) {
    assertThat(report).as(driver).noneMatch(line -> line.startsWith("error: "));
    assertThat(report)
        .as(driver)
        .anyMatch(line -> line.matches("requests: [1-9]\\d+"))
        .anyMatch(line -> line.matches("scans: [1-9]\\d*"));
  }
}
