package io.sluice.audit;

import io.sluice.setting.Requirements;

/**
 * The events that are written to the audit log.
 *
 * @param logins clients that have logged in, and those that were not let in
 * @param refusals requests that Sluice itself has refused
 * @param changes requests that operators have ended, and what they have changed
 * @param linesPerSecond lines of each kind at most; 1 to 1,000. A line says how many of its kind
 *     were left out before it
 */
public record AuditConfig(boolean logins, boolean refusals, boolean changes, int linesPerSecond) {

  private static final int MOST_LINES = 1_000;

  public AuditConfig {
    Requirements.of("audit")
        .that(
            linesPerSecond >= 1 && linesPerSecond <= MOST_LINES,
            "linesPerSecond",
            linesPerSecond,
            "must be 1 to " + MOST_LINES)
        .check();
  }

  /** Nothing is written. */
  public static AuditConfig off() {
    return new AuditConfig(false, false, false, 20);
  }
}
