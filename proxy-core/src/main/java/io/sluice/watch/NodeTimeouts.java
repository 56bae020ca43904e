package io.sluice.watch;

import com.datastax.oss.driver.api.core.cql.Row;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The configured timeouts of a node, by their names in {@code cassandra.yaml}.
 *
 * @param read {@code read_request_timeout}
 * @param range {@code range_request_timeout}
 * @param write {@code write_request_timeout}
 * @param counterWrite {@code counter_write_request_timeout}
 * @param contention {@code cas_contention_timeout}
 * @param truncate {@code truncate_request_timeout}
 * @param request {@code request_timeout}
 * @param queue {@code native_transport_timeout}: how long a request may be queued in the node
 *     before it starts
 */
public record NodeTimeouts(
    Duration read,
    Duration range,
    Duration write,
    Duration counterWrite,
    Duration contention,
    Duration truncate,
    Duration request,
    Duration queue) {

  /** The suffix of the names in Cassandra 4.0, whose values have no unit. */
  private static final String IN_MILLIS = "_in_ms";

  /** Numbers of so many digits fit into a long. */
  private static final int MAX_DIGITS = 18;

  /** Stands for all longer timeouts, so that sums of several fit into a long of nanoseconds. */
  private static final Duration LONGEST = Duration.ofDays(3_650);

  private enum Setting {
    READ_REQUEST_TIMEOUT(5_000),
    RANGE_REQUEST_TIMEOUT(10_000),
    WRITE_REQUEST_TIMEOUT(2_000),
    COUNTER_WRITE_REQUEST_TIMEOUT(5_000),
    CAS_CONTENTION_TIMEOUT(1_800),
    TRUNCATE_REQUEST_TIMEOUT(60_000),
    REQUEST_TIMEOUT(10_000),
    NATIVE_TRANSPORT_TIMEOUT(12_000);

    private final Duration usual;

    Setting(long usualMillis) {
      this.usual = Duration.ofMillis(usualMillis);
    }

    String yaml() {
      return name().toLowerCase(Locale.ROOT);
    }

    Duration in(Map<String, String> settings) {
      Duration found = duration(settings.get(yaml()));
      found = found == null ? duration(settings.get(yaml() + IN_MILLIS)) : found;
      return found == null ? usual : found;
    }
  }

  /**
   * Returns the query for the timeouts. The queried table is local to the node; Cassandra before
   * 4.0 does not have it.
   */
  static String query() {
    String names =
        Arrays.stream(Setting.values())
            .map(Setting::yaml)
            .flatMap(name -> Stream.of(name, name + IN_MILLIS))
            .collect(Collectors.joining("', '", "'", "'"));
    return "SELECT name, value FROM system_views.settings WHERE name IN (" + names + ")";
  }

  /** Returns the timeouts in a node's answer. */
  static NodeTimeouts of(Iterable<Row> rows) {
    Map<String, String> settings = new HashMap<>();
    for (Row row : rows) {
      settings.put(String.valueOf(row.getString("name")), String.valueOf(row.getString("value")));
    }
    return of(settings);
  }

  /**
   * Returns the timeouts in {@code settings}: names and values of a node of Cassandra 4.0 or newer.
   * A setting that is missing or unreadable counts as Cassandra's default.
   */
  static NodeTimeouts of(Map<String, String> settings) {
    return new NodeTimeouts(
        Setting.READ_REQUEST_TIMEOUT.in(settings),
        Setting.RANGE_REQUEST_TIMEOUT.in(settings),
        Setting.WRITE_REQUEST_TIMEOUT.in(settings),
        Setting.COUNTER_WRITE_REQUEST_TIMEOUT.in(settings),
        Setting.CAS_CONTENTION_TIMEOUT.in(settings),
        Setting.TRUNCATE_REQUEST_TIMEOUT.in(settings),
        Setting.REQUEST_TIMEOUT.in(settings),
        Setting.NATIVE_TRANSPORT_TIMEOUT.in(settings));
  }

  /** Returns the largest value of each setting among {@code nodes}; null when there are none. */
  static @Nullable NodeTimeouts largest(Collection<NodeTimeouts> nodes) {
    return nodes.isEmpty()
        ? null
        : new NodeTimeouts(
            largest(nodes, NodeTimeouts::read),
            largest(nodes, NodeTimeouts::range),
            largest(nodes, NodeTimeouts::write),
            largest(nodes, NodeTimeouts::counterWrite),
            largest(nodes, NodeTimeouts::contention),
            largest(nodes, NodeTimeouts::truncate),
            largest(nodes, NodeTimeouts::request),
            largest(nodes, NodeTimeouts::queue));
  }

  private static Duration largest(
      Collection<NodeTimeouts> nodes, Function<NodeTimeouts, Duration> setting) {
    return nodes.stream().map(setting).max(Duration::compareTo).orElse(Duration.ZERO);
  }

  /**
   * Parses a value such as "5000ms" or "12s". Returns null if it is invalid, and ten years for any
   * longer time.
   */
  static @Nullable Duration duration(@Nullable String value) {
    if (value == null) {
      return null;
    }
    String text = value.strip();
    int digits = (int) text.chars().takeWhile(c -> c >= '0' && c <= '9').count();
    TimeUnit unit = unit(text.substring(digits).strip());
    if (digits == 0 || unit == null) {
      return null;
    }
    // A conversion that overflows returns the largest long.
    long nanos =
        digits > MAX_DIGITS
            ? Long.MAX_VALUE
            : unit.toNanos(Long.parseLong(text.substring(0, digits)));
    Duration found = Duration.ofNanos(nanos);
    return found.compareTo(LONGEST) > 0 ? LONGEST : found;
  }

  private static @Nullable TimeUnit unit(String name) {
    return switch (name) {
      case "d" -> TimeUnit.DAYS;
      case "h" -> TimeUnit.HOURS;
      case "m" -> TimeUnit.MINUTES;
      case "s" -> TimeUnit.SECONDS;
      case "", "ms" -> TimeUnit.MILLISECONDS;
      case "us", "µs" -> TimeUnit.MICROSECONDS;
      case "ns" -> TimeUnit.NANOSECONDS;
      default -> null;
    };
  }
}
