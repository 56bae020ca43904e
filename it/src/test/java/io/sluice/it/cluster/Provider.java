package io.sluice.it.cluster;

import java.util.EnumSet;
import java.util.Set;

/** A provider of clusters. */
enum Provider {
  /** Child processes on loopback, by local-cluster; the proxy runs in this JVM. */
  FORKED,
  /** Containers in their own network, including the proxy's image. */
  DOCKER,
  /** Existing nodes; the proxy runs in this JVM. */
  EXTERNAL;

  /** Returns the operations that its clusters support. */
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

  /** Starts a cluster. Throws if that fails; never skips. */
  ClusterUnderTest start(ClusterShape shape) {
    return switch (this) {
      case FORKED -> new ForkedCluster(shape);
      case DOCKER -> new DockerCluster(shape);
      case EXTERNAL -> new ExternalCluster(shape);
    };
  }
}
