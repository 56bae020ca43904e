package io.sluice.it.cluster;

import java.util.EnumSet;
import java.util.Set;

/** A source of clusters. */
enum Provider {
  /** Child processes on loopback, by local-cluster; the proxy in this JVM. */
  FORKED,
  /** Containers in a network of their own, the proxy's image among them. */
  DOCKER,
  /** Nodes that somebody else started; the proxy in this JVM. */
  EXTERNAL;

  /** What its clusters can do. */
  Set<Capability> capabilities() {
    return switch (this) {
      case FORKED ->
          EnumSet.of(
              Capability.KILL,
              Capability.PAUSE,
              Capability.JMX,
              Capability.AUTH,
              Capability.IN_PROCESS_PROXY);
      case DOCKER ->
          EnumSet.of(
              Capability.KILL,
              Capability.PAUSE,
              Capability.PARTITION,
              Capability.JMX,
              Capability.AUTH,
              Capability.AGENT,
              Capability.CONTAINERS);
      case EXTERNAL -> EnumSet.of(Capability.IN_PROCESS_PROXY);
    };
  }

  /** Starts a cluster; a provider that cannot start one throws, it never skips. */
  ClusterUnderTest start(ClusterShape shape) {
    return switch (this) {
      case FORKED -> new ForkedCluster(shape);
      case DOCKER -> new DockerCluster(shape);
      case EXTERNAL -> new ExternalCluster(shape);
    };
  }
}
