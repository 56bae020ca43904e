package io.sluice.decide.rule;

import java.util.concurrent.TimeUnit;

/**
 * Tokens that come at a steady rate, and of which at most those of one second are kept. What is
 * charged beyond them is a debt, which new ones pay first. Times are in ns, {@code now} never
 * falls. Not safe for several threads.
 */
final class TokenBucket {

  private static final double SECOND = TimeUnit.SECONDS.toNanos(1);

  private double perSecond;
  private double tokens;
  private double debt;
  private long at;

  /** Full, of a rate above 0. */
  TokenBucket(double perSecond, long now) {
    this.perSecond = perSecond;
    this.tokens = most();
    this.at = now;
  }

  /** One that holds less than one token would never give any. */
  private double most() {
    return Math.max(1, perSecond);
  }

  /** Changes the rate. What is there stays, as far as so much may be kept. */
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

  /** Takes so many, which are owed where they are not there. */
  void charge(double amount, long now) {
    fill(now);
    double taken = Math.min(tokens, amount);
    tokens -= taken;
    debt += amount - taken;
  }

  /** In how many ns there will be a whole token; 0 when there is. */
  long nanosUntilOne(long now) {
    return has(now) ? 0 : 1 + (long) Math.ceil((1 - tokens + debt) / perSecond * SECOND);
  }

  /** Tokens that are there; never below 0. */
  double tokens(long now) {
    fill(now);
    return tokens;
  }

  /** Tokens that are owed. */
  double debt(long now) {
    fill(now);
    return debt;
  }
}
