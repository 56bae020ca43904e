package io.sluice.it.cluster;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.Proxy;
import io.sluice.ProxyConfig;
import io.sluice.accept.ListenConfig;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.watch.ClusterConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Starts a proxy in this JVM, in front of nodes that this JVM can reach. */
final class InProcessProxy {
  /** Tables of tests are small: with these settings some pieces span owners, and most do not. */
  private static final SplitConfig SMALL_PIECES =
      new SplitConfig(SplitConfig.Parallel.WAVES, 20, 10, 8, 4 << 20, true);

  private InProcessProxy() {}

  /** Starts a proxy on a loopback port; 0 selects a free one. It stops with this JVM. */
  static InetSocketAddress start(
      int port,
      List<InetSocketAddress> contactPoints,
      String datacenter,
      ClusterConfig.@Nullable Credentials credentials) {
    ClusterConfig served =
        new ClusterConfig(contactPoints, datacenter, credentials, Duration.ofSeconds(10));
    try {
      ProxyConfig config =
          ProxyConfig.of(ListenConfig.on("127.0.0.1", port), served).withSplit(SMALL_PIECES);
      return Proxy.start(config, new SimpleMeterRegistry(), why -> {}, new LiveMode(config))
          .address();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
