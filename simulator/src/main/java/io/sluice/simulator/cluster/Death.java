package io.sluice.simulator.cluster;

/**
 * The death of a proxy. Its clients send their unanswered reads once more, to another proxy, as
 * drivers do with idempotent reads. The other proxies send again what waited at it.
 *
 * @param proxy its number, from 1
 * @param atSeconds when it dies
 * @param noticeSeconds time until clients and proxies notice: 0 when its machine closes its
 *     connections, longer when only silence tells
 */
public record Death(int proxy, double atSeconds, double noticeSeconds) {

  public Death {
    if (proxy < 1 || !(atSeconds >= 0) || !(noticeSeconds >= 0)) {
      throw new IllegalArgumentException("--kill: a proxy from 1, and times of at least 0");
    }
  }
}
