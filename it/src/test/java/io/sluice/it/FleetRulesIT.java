package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.Proxy;
import io.sluice.ProxyConfig;
import io.sluice.accept.ListenConfig;
import io.sluice.decide.rule.Rule;
import io.sluice.fleet.FleetConfig;
import io.sluice.it.cluster.Capability;
import io.sluice.it.cluster.CassandraCluster;
import io.sluice.testkit.FreePorts;
import io.sluice.watch.ClusterConfig;
import io.sluice.watch.FleetKeyspace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Three proxies with one rule, whose limit holds for all of them together. */
@Tag("long")
@CassandraCluster(needs = Capability.IN_PROCESS_PROXY)
class FleetRulesIT {

  private static final byte[] LOOPBACK = {127, 0, 0, 1};
  private static final int PROXIES = 3;
  private static final int CLIENTS = 4;
  private static final int PER_SECOND = 60;
  private static final int SECONDS = 5;
  private static final Duration SOON = Duration.ofSeconds(20);

  private final Stage stage = Stage.plain();
  private final List<Proxy> proxies = new ArrayList<>();
  private final List<CqlSession> sessions = new ArrayList<>();
  private final List<SimpleMeterRegistry> meters = new ArrayList<>();

  private ClusterConfig nodes() {
    return new ClusterConfig(
        List.of(stage.direct().address()), "datacenter1", null, Duration.ofSeconds(10));
  }

  private void start(boolean keyspace) throws IOException {
    Rule.Match match =
        new Rule.Match(null, List.of("fleetrules"), null, null, null, null, null, null, null, null);
    Rule.Limits limits = new Rule.Limits(null, PER_SECOND, null, null, Duration.ofSeconds(10));
    Rule rule = new Rule("few", match, limits, null, null, null, null);
    for (int i = 0; i < PROXIES; i++) {
      int port = FreePorts.next();
      InetSocketAddress address = new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), port);
      meters.add(new SimpleMeterRegistry());
      proxies.add(
          Proxy.start(
              ProxyConfig.of(ListenConfig.on("127.0.0.1", port), nodes())
                  .withRules(List.of(rule))
                  .withFleet(
                      keyspace ? new FleetConfig(address, List.of(), true) : FleetConfig.alone()),
              meters.get(i)));
      sessions.add(
          JavaDriver.open(
              new Target("Sluice", true, proxies.get(i).address(), "rls_"), Wire.USUAL));
    }
  }

  private void end() {
    sessions.forEach(CqlSession::close);
    proxies.forEach(Proxy::close);
    sessions.clear();
    proxies.clear();
    meters.clear();
  }

  /** The reads that return at each of the first proxies in these seconds, in a closed loop. */
  private int[] read(int busy) throws InterruptedException {
    AtomicBoolean counting = new AtomicBoolean();
    AtomicBoolean ending = new AtomicBoolean();
    AtomicInteger[] read = new AtomicInteger[busy];
    List<AtomicInteger> open = new ArrayList<>();
    for (int i = 0; i < busy; i++) {
      read[i] = new AtomicInteger();
      CqlSession session = sessions.get(i);
      PreparedStatement select = session.prepare("SELECT v FROM fleetrules.t WHERE k = ?");
      for (int client = 0; client < CLIENTS; client++) {
        AtomicInteger running = new AtomicInteger(1);
        open.add(running);
        ask(session, select, read[i], new Loop(counting, ending, running));
      }
    }
    Waiting.aMoment(4_000);
    counting.set(true);
    Waiting.aMoment(SECONDS * 1_000);
    counting.set(false);
    ending.set(true);
    await().atMost(SOON).until(() -> open.stream().allMatch(each -> each.get() == 0));
    int[] counts = new int[busy];
    for (int i = 0; i < busy; i++) {
      counts[i] = read[i].get();
    }
    return counts;
  }

  private record Loop(AtomicBoolean counting, AtomicBoolean ending, AtomicInteger running) {}

  private static void ask(
      CqlSession session, PreparedStatement select, AtomicInteger read, Loop loop) {
    session
        .executeAsync(select.bind(1))
        .whenComplete(
            (rows, error) -> {
              if (error == null && loop.counting().get()) {
                read.incrementAndGet();
              }
              if (loop.ending().get()) {
                loop.running().set(0);
              } else {
                ask(session, select, read, loop);
              }
            });
  }

  private static int sum(int[] counts) {
    int sum = 0;
    for (int each : counts) {
      sum += each;
    }
    return sum;
  }

  @Test
  void a_limit_is_that_of_all_proxies_and_goes_where_requests_come() throws Exception {
    try (CqlSession direct = JavaDriver.open(stage.direct(), Wire.USUAL)) {
      Place place = new Place(direct, stage.direct(), "fleetrules");
      SchemaScripts.keyspace(place);
      Scans.fill(place, 10);

      start(false);
      assertThat(sum(read(PROXIES))).as("each by itself").isGreaterThan(2 * PER_SECOND * SECONDS);
      end();

      new FleetKeyspace(nodes(), said -> {}).init(Map.of("datacenter1", 3), true, null);
      start(true);
      await()
          .atMost(SOON)
          .until(
              () ->
                  meters.stream()
                      .allMatch(
                          each -> each.get("sluice.fleet.members").gauge().value() == PROXIES));
      await()
          .atMost(SOON)
          .untilAsserted(
              () ->
                  assertThat(meters)
                      .as("equal parts of range slots without range reads")
                      .allSatisfy(
                          each ->
                              assertThat(each.get("sluice.fleet.range.part").gauge().value())
                                  .isBetween(0.9 / PROXIES, 1.1 / PROXIES)));
      int[] all = read(PROXIES);
      assertThat(sum(all))
          .as("all together: %s", List.of(all[0], all[1], all[2]))
          .isBetween(PER_SECOND * SECONDS / 2, PER_SECOND * (SECONDS + 1) * 11 / 10);
      assertThat(sum(read(1)))
          .as("one alone")
          .isBetween(PER_SECOND * SECONDS * 3 / 4, PER_SECOND * (SECONDS + 1) * 11 / 10);
    } finally {
      end();
      try (CqlSession direct = JavaDriver.open(stage.direct(), Wire.USUAL)) {
        new Place(direct, stage.direct(), "sluice").change("DROP KEYSPACE IF EXISTS sluice");
      }
    }
  }
}
