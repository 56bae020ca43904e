package io.sluice.it.cluster;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** The clusters of this run: one of each shape, started at first use, stopped with this JVM. */
public final class Clusters {
  private static final Map<ClusterShape, ClusterUnderTest> STARTED = new HashMap<>();
  private static final Choice CHOICE = choose();

  private Clusters() {}

  /** Returns the cluster of that shape. */
  public static synchronized ClusterUnderTest of(ClusterShape shape) {
    ClusterUnderTest cluster = STARTED.get(shape);
    if (cluster == null) {
      cluster = CHOICE.provider().start(shape);
      STARTED.put(shape, cluster);
    }
    return cluster;
  }

  /** Returns the operations that clusters of this run support. */
  static Set<Capability> capabilities() {
    return CHOICE.provider().capabilities();
  }

  /** Returns the provider's name, for people. */
  static String provider() {
    return CHOICE.provider().toString();
  }

  private static Choice choose() {
    Choice choice =
        Choice.of(System.getProperty("it.cluster", "auto"), () -> DockerImages.chosen().lacking());
    System.out.println(choice.line());
    return choice;
  }
}
