package io.sluice.link;

import io.sluice.setting.Requirements;
import io.sluice.wire.Compression;
import java.time.Duration;

/**
 * The settings of connections to nodes.
 *
 * @param compression the compression between proxy and nodes; NONE where the network is faster than
 *     a core
 * @param connectTimeout the timeout of connecting, of the TLS handshake and of the CQL handshake
 * @param probeAfter a link with requests in flight that hears nothing for this long is probed
 * @param suspectAfter when a probed link hears nothing for this long, or a link is not ready for
 *     this long, idempotent reads and unsent requests move to other replicas; the node is suspect
 *     if no other link has heard it meanwhile
 * @param dropAfter a link with requests in flight that hears nothing for this long is closed
 * @param idleAfter a link without requests is closed after this time
 */
public record LinkConfig(
    Compression compression,
    Duration connectTimeout,
    Duration probeAfter,
    Duration suspectAfter,
    Duration dropAfter,
    Duration idleAfter) {

  private static final Duration MIN_TIMEOUT = Duration.ofMillis(100);
  private static final Duration MIN_SILENCE = Duration.ofMillis(10);
  private static final Duration MIN_IDLE = Duration.ofSeconds(1);

  public LinkConfig {
    Requirements.of("cluster.links")
        .atLeast("connectTimeout", connectTimeout, MIN_TIMEOUT)
        .atLeast("probeAfter", probeAfter, MIN_SILENCE)
        .longerThan("suspectAfter", suspectAfter, "probeAfter", probeAfter)
        .longerThan("dropAfter", dropAfter, "suspectAfter", suspectAfter)
        .atLeast("idleAfter", idleAfter, MIN_IDLE)
        .check();
  }

  /** Returns the defaults, which suit the network of a data centre. */
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
