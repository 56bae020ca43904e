package io.sluice.it;

import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.Proxy;
import io.sluice.ProxyConfig;
import io.sluice.accept.ListenConfig;
import io.sluice.fleet.FleetConfig;
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

/** A fleet of proxies in this JVM, each the home of some nodes, with the keyspace of the fleet. */
final class HomeFleet implements AutoCloseable {

  private static final byte[] LOOPBACK = {127, 0, 0, 1};
  private static final Duration SOON = Duration.ofSeconds(20);

  /** A proxy in this JVM. */
  record Member(Proxy proxy, SimpleMeterRegistry meters, int port) {

    double counted(String meter) {
      return meters.get(meter).counters().stream().mapToDouble(each -> each.count()).sum();
    }
  }

  final List<Member> members = new ArrayList<>();
  private final ClusterConfig nodes;

  /**
   * Starts {@code count} proxies in front of the nodes of the plain stage, and waits until they
   * know each other.
   */
  HomeFleet(int count) throws IOException, InterruptedException {
    nodes =
        new ClusterConfig(
            List.of(Stage.plain().direct().address()), "datacenter1", null, Duration.ofSeconds(10));
    new FleetKeyspace(nodes, said -> {}).init(Map.of("datacenter1", 3), true, null);
    for (int i = 0; i < count; i++) {
      members.add(start(FreePorts.next()));
    }
    awaitMembers();
  }

  private Member start(int port) throws IOException {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), port);
    ProxyConfig config =
        ProxyConfig.of(ListenConfig.on("127.0.0.1", port), nodes)
            .withFleet(new FleetConfig(address, List.of(), true, true));
    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    return new Member(Proxy.start(config, meters), meters, port);
  }

  /**
   * Returns the index of a proxy that is the home of a node. Random identities determine the homes.
   */
  int indexOfAHome(CqlSession session) {
    List<String> homes = new ArrayList<>();
    session
        .execute("SELECT home FROM system_proxy.nodes")
        .forEach(row -> homes.add(row.getString("home")));
    for (int i = 0; i < members.size(); i++) {
      if (homes.contains("127.0.0.1:" + members.get(i).port())) {
        return i;
      }
    }
    throw new AssertionError("none of " + members + " is a home: " + homes);
  }

  /** Stops a proxy like a crash, without notice to the others. */
  void kill(int index) {
    members.remove(index).proxy().close();
  }

  /** Waits until all remaining proxies know each other, and no other. */
  void awaitMembers() {
    for (Member each : members) {
      await()
          .atMost(SOON)
          .until(() -> each.meters().get("sluice.fleet.members").gauge().value() == members.size());
    }
  }

  double counted(String meter) {
    return members.stream().mapToDouble(each -> each.counted(meter)).sum();
  }

  /**
   * Opens a session of a driver that retries idempotent statements at another node, as by default.
   */
  CqlSession session(String version) {
    CqlSessionBuilder builder = CqlSession.builder().withLocalDatacenter("datacenter1");
    for (Member each : members) {
      builder.addContactPoint(new InetSocketAddress(InetAddress.getLoopbackAddress(), each.port()));
    }
    return builder
        .withConfigLoader(
            DriverConfigLoader.programmaticBuilder()
                .withString(DefaultDriverOption.PROTOCOL_VERSION, version)
                .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(30))
                .withBoolean(DefaultDriverOption.REQUEST_DEFAULT_IDEMPOTENCE, true)
                .build())
        .build();
  }

  @Override
  public void close() {
    members.forEach(each -> each.proxy().close());
    try (CqlSession session = JavaDriver.open(Stage.plain().direct(), Wire.USUAL)) {
      new Place(session, Stage.plain().direct(), "sluice").change("DROP KEYSPACE sluice");
    }
  }
}
