package io.sluice.link;

import io.sluice.wire.Compression;
import java.time.Duration;

/**
 * The settings of connections to nodes.
 *
 * @param compression what travels compressed between proxy and nodes; NONE where the network is
 *     faster than a core
 * @param connectTimeout for the connection and each step of its handshake
 * @param probeAfter a link with requests under way that hears nothing for this long is probed
 * @param suspectAfter when a link hears nothing for this long, a probe unanswered, or is not ready
 *     for this long, idempotent reads and what was not sent yet move to other replicas; the node is
 *     suspect if no other link has heard it meanwhile
 * @param dropAfter a link that hears nothing for this long is closed
 * @param idleAfter a link without requests is closed after this
 */
public record LinkConfig(
    Compression compression,
    Duration connectTimeout,
    Duration probeAfter,
    Duration suspectAfter,
    Duration dropAfter,
    Duration idleAfter) {

  public LinkConfig {
    check(!connectTimeout.isNegative() && !connectTimeout.isZero(), "connectTimeout", "positive");
    check(!probeAfter.isNegative() && !probeAfter.isZero(), "probeAfter", "positive");
    check(suspectAfter.compareTo(probeAfter) > 0, "suspectAfter", "longer than probeAfter");
    check(dropAfter.compareTo(suspectAfter) > 0, "dropAfter", "longer than suspectAfter");
    check(!idleAfter.isNegative() && !idleAfter.isZero(), "idleAfter", "positive");
  }

  private static void check(boolean holds, String key, String what) {
    if (!holds) {
      throw new IllegalArgumentException("cluster.links." + key + " must be " + what);
    }
  }

  /** What suits a data centre's network. */
  public static LinkConfig defaults() {
    return new LinkConfig(
        Compression.NONE,
        Duration.ofSeconds(5),
        Duration.ofMillis(500),
        Duration.ofMillis(1500),
        Duration.ofSeconds(30),
        Duration.ofMinutes(5));
  }
}
