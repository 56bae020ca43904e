package io.sluice.link;

import io.sluice.setting.Requirements;
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

  private static final Duration LEAST_TIMEOUT = Duration.ofMillis(100);
  private static final Duration LEAST_SILENCE = Duration.ofMillis(10);
  private static final Duration LEAST_IDLE = Duration.ofSeconds(1);

  public LinkConfig {
    Requirements.of("cluster.links")
        .atLeast("connectTimeout", connectTimeout, LEAST_TIMEOUT)
        .atLeast("probeAfter", probeAfter, LEAST_SILENCE)
        .longerThan("suspectAfter", suspectAfter, "probeAfter", probeAfter)
        .longerThan("dropAfter", dropAfter, "suspectAfter", suspectAfter)
        .atLeast("idleAfter", idleAfter, LEAST_IDLE)
        .check();
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
