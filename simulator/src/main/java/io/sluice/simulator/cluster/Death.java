package io.sluice.simulator.cluster;

/**
 * The end of a proxy. Its clients send what was under way once more, to another proxy, as drivers
 * do with idempotent reads; the other proxies ask anew for what waited at it.
 *
 * @param proxy its number, from 1
 * @param atSeconds when it dies
 * @param noticeSeconds after so long clients and proxies know: 0 when its connections are closed by
 *     its machine, longer when only silence tells
 */
public record Death(int proxy, double atSeconds, double noticeSeconds) {

  public Death {
    if (proxy < 1 || !(atSeconds >= 0) || !(noticeSeconds >= 0)) {
      throw new IllegalArgumentException("--kill: a proxy from 1, and times of at least 0");
    }
  }
}
