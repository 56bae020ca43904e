package io.sluice.it;

import io.sluice.ProxyConfig;
import io.sluice.accept.ListenConfig;
import io.sluice.cluster.ClusterSpec;
import io.sluice.it.cluster.NodeSettings;
import io.sluice.it.cluster.Ports;
import io.sluice.watch.ClusterConfig;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Nodes and proxies for a single test, beside the shared ones. */
final class OwnNodes {

  private OwnNodes() {}

  /**
   * Returns two nodes with half of the data each.
   *
   * @param word part of their folder's name
   * @param portsFurther offset of their ports from those of the shared nodes
   */
  static ClusterSpec two(String word, int portsFurther) {
    return optimized(word, portsFurther)
        .withJvmArg(NodeSettings.FIRST_COMPILER_ONLY)
        .withJvmArg(NodeSettings.SCHEMA_IN_MEMORY);
  }

  /** Returns the same with all compilers of the JVM, for measurements. */
  static ClusterSpec optimized(String word, int portsFurther) {
    return ClusterSpec.defaults()
        .withDir(
            Path.of(System.getProperty("sluice.it.dir", "target"))
                .toAbsolutePath()
                .resolve("cluster-" + word))
        .withNodes(2, 1)
        .withPorts(Ports.NATIVE + portsFurther, Ports.STORAGE + portsFurther);
  }

  /** Returns the configuration of a proxy in front of some nodes, on a free port. */
  static ProxyConfig proxyBefore(List<InetSocketAddress> nodes) {
    return proxyBefore(nodes, null);
  }

  /** Returns the same for nodes that require a login. */
  static ProxyConfig proxyBefore(
      List<InetSocketAddress> nodes, ClusterConfig.@Nullable Credentials credentials) {
    return ProxyConfig.of(
        ListenConfig.on("127.0.0.1", 0),
        new ClusterConfig(nodes, "datacenter1", credentials, Duration.ofSeconds(10)));
  }
}
