package io.sluice.audit;

import io.sluice.setting.Requirements;

/**
 * The settings of the audit log: which events it receives.
 *
 * @param logins whether successful and failed logins are logged
 * @param refusals whether requests that Sluice itself refuses are logged
 * @param changes whether requests ended by operators and changes made by operators are logged
 * @param linesPerSecond maximum number of lines of each kind in a second; 1 to 1,000. A line says
 *     how many lines of its kind were left out before it
 */
public record AuditConfig(boolean logins, boolean refusals, boolean changes, int linesPerSecond) {

  private static final int MAX_LINES = 1_000;

  public AuditConfig {
    Requirements.of("audit")
        .that(
            linesPerSecond >= 1 && linesPerSecond <= MAX_LINES,
            "linesPerSecond",
            linesPerSecond,
            "must be 1 to " + MAX_LINES)
        .check();
  }

  /** Returns settings with which nothing is logged. */
  public static AuditConfig off() {
    return new AuditConfig(false, false, false, 20);
  }
}
