package io.sluice;

import io.sluice.accept.ListenConfig;
import io.sluice.audit.AuditConfig;
import io.sluice.console.ConsoleConfig;
import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.exchange.NodeAgentConfig;
import io.sluice.fleet.FleetConfig;
import io.sluice.link.LinkConfig;
import io.sluice.usage.SlowLogConfig;
import io.sluice.watch.ClusterConfig;
import io.sluice.wire.Compression;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The settings of a {@link PathFixture}. */
final class PathSettings {

  private PathSettings() {}

  static ProxyConfig config(NodeAgentConfig nodeAgent, int rangeSlots) {
    SchedulingConfig from = SchedulingConfig.defaults();
    return new ProxyConfig(
        ListenConfig.on("localhost", 0),
        new ClusterConfig(
            List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1)),
            "dc1",
            null,
            Duration.ofSeconds(1)),
        new LinkConfig(
            Compression.NONE,
            Duration.ofMillis(3000),
            Duration.ofMillis(200),
            Duration.ofMillis(500),
            Duration.ofSeconds(5),
            Duration.ofMinutes(1)),
        new SchedulingConfig(
            from.mode(),
            true,
            from.rangeOrder(),
            0,
            rangeSlots,
            8,
            2,
            0,
            0,
            PathFixture.READ_TIMEOUT,
            PathFixture.READ_TIMEOUT,
            0.5,
            0.3,
            0.5,
            Map.of()),
        PathFixture.SPLIT_OFF,
        nodeAgent,
        FleetConfig.alone(),
        Duration.ofMillis(1700),
        1,
        100,
        1 << 20,
        ConsoleConfig.defaults(),
        List.of(),
        SlowLogConfig.off(),
        AuditConfig.off());
  }

  /** Returns these settings with links that wait ten seconds for a node before they give it up. */
  static ProxyConfig patient(ProxyConfig config) {
    return config.withLinks(
        new LinkConfig(
            Compression.NONE,
            Duration.ofSeconds(10),
            Duration.ofSeconds(10),
            Duration.ofSeconds(20),
            Duration.ofSeconds(30),
            Duration.ofMinutes(1)));
  }
}
