package io.sluice.decide.rule;

import java.util.concurrent.TimeUnit;

/**
 * A token bucket: tokens arrive at a steady rate, and at most those of one second are kept. Charges
 * beyond them become a debt, which new tokens pay first. Times are in ns, {@code now} never
 * decreases. Not safe for several threads.
 */
final class TokenBucket {

  private static final double SECOND = TimeUnit.SECONDS.toNanos(1);

  private double perSecond;
  private double tokens;
  private double debt;
  private long at;

  /** Creates a full bucket with a rate above 0. */
  TokenBucket(double perSecond, long now) {
    this.perSecond = perSecond;
    this.tokens = most();
    this.at = now;
  }

  /** Returns the capacity. A bucket with a capacity below one token would never give any. */
  private double most() {
    return Math.max(1, perSecond);
  }

  /** Changes the rate. Tokens are kept up to the new capacity. */
  void rate(double next, long now) {
    fill(now);
    perSecond = next;
    tokens = Math.min(tokens, most());
  }

  private void fill(long now) {
    double come = Math.max(0, now - at) / SECOND * perSecond;
    at = Math.max(at, now);
    double paid = Math.min(debt, come);
    debt -= paid;
    tokens = Math.min(most(), tokens + come - paid);
  }

  /** Whether there is a whole token. */
  boolean has(long now) {
    fill(now);
    return tokens >= 1;
  }

  /** Takes a token; only while there is one. */
  void take() {
    tokens = Math.max(0, tokens - 1);
  }

  /** Takes {@code amount} tokens; missing ones become debt. */
  void charge(double amount, long now) {
    fill(now);
    double taken = Math.min(tokens, amount);
    tokens -= taken;
    debt += amount - taken;
  }

  /** Returns in how many ns there will be a whole token; 0 if there is one. */
  long nanosUntilOne(long now) {
    return has(now) ? 0 : 1 + (long) Math.ceil((1 - tokens + debt) / perSecond * SECOND);
  }

  /** Returns the available tokens; never below 0. */
  double tokens(long now) {
    fill(now);
    return tokens;
  }

  /** Returns the owed tokens. */
  double debt(long now) {
    fill(now);
    return debt;
  }
}
