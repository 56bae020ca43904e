package io.sluice.agent.pin;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The settings of {@code pin}: the budget, and the tables. Immutable. */
public final class PinSettings {
  private static final Pattern SIZE = Pattern.compile("([0-9]{1,9})(KiB|MiB|GiB)");
  private static final Pattern SHARE = Pattern.compile("([0-9]{1,2})%");
  private static final Pattern TABLE = Pattern.compile("\\w+(\\.\\w+)?");
  private static final int LARGEST_SHARE = 50;
  private static final long SMALLEST = 1 << 20;

  private final long bytes;
  private final int percent;
  private final Set<String> included;
  private final Set<String> excluded;

  private PinSettings(long bytes, int percent, Set<String> included, Set<String> excluded) {
    this.bytes = bytes;
    this.percent = percent;
    this.included = included;
    this.excluded = excluded;
  }

  /**
   * Parses the values of {@code pin=}, {@code pinInclude=} and {@code pinExclude=}. Adds errors to
   * the faults.
   *
   * @param budget such as 512MiB or 5%
   * @param include keyspaces and tables, {@code ks+ks.table}; empty for all except Cassandra's own
   * @param exclude keyspaces and tables; empty for none
   */
  public static PinSettings parse(
      String budget, String include, String exclude, List<String> faults) {
    Matcher size = SIZE.matcher(budget);
    Matcher share = SHARE.matcher(budget);
    long bytes = 0;
    int percent = 0;
    if (size.matches()) {
      bytes = Long.parseLong(size.group(1)) << shift(size.group(2));
    } else if (share.matches()) {
      percent = Integer.parseInt(share.group(1));
    }
    if (bytes < SMALLEST && (percent < 1 || percent > LARGEST_SHARE)) {
      faults.add(
          "pin can be a size from 1MiB on such as 512MiB, or 1% to 50% of memory, not '"
              + budget
              + "'");
    }
    return new PinSettings(
        bytes,
        percent,
        tables("pinInclude", include, faults),
        tables("pinExclude", exclude, faults));
  }

  private static int shift(String unit) {
    return unit.equals("KiB") ? 10 : unit.equals("MiB") ? 20 : 30;
  }

  private static Set<String> tables(String key, String value, List<String> faults) {
    List<String> names =
        value.isEmpty() ? new ArrayList<>() : Arrays.asList(value.split("\\+", -1));
    for (String each : names) {
      if (!TABLE.matcher(each).matches()) {
        faults.add(
            key + " can be keyspaces and tables such as shop+audit.events, not '" + each + "'");
      }
    }
    return Collections.unmodifiableSet(new HashSet<>(names));
  }

  /** Returns the budget in bytes, for the most memory that the process can get. */
  long budget(long totalBytes) {
    return percent == 0 ? bytes : totalBytes / 100 * percent;
  }

  /**
   * Whether {@code pin} includes that table. A secondary index {@code ks.table.index} goes with its
   * table. Cassandra's own keyspaces are included only by name.
   */
  boolean isFor(String keyspace, String table) {
    String base = keyspace + "." + table.split("\\.", 2)[0];
    if (excluded.contains(keyspace) || excluded.contains(base)) {
      return false;
    }
    return included.isEmpty()
        ? !keyspace.toLowerCase(Locale.ROOT).startsWith("system")
        : included.contains(keyspace) || included.contains(base);
  }
}
