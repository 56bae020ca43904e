package io.sluice.watch;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The report of a node's agent about the read stage it orders. Counters begin with the node.
 *
 * @param enabled whether it orders; otherwise first in, first out
 * @param queuedLocalPoints point reads of the node's own clients that wait
 * @param queuedRemotePoints point reads of other coordinators that wait
 * @param queuedRanges range reads that wait
 * @param overtakes reads that were started although an older one waited
 * @param aged reads that were started before their turn because they had waited too long
 * @param unknown reads that it could not tell apart
 * @param widthsTold range reads whose width was told, by the proxy or by their coordinator
 * @param ageLimitMillis how long a range read waits before it may pass point reads
 */
public record AgentReport(
    boolean enabled,
    long queuedLocalPoints,
    long queuedRemotePoints,
    long queuedRanges,
    long overtakes,
    long aged,
    long unknown,
    long widthsTold,
    long ageLimitMillis) {

  /** A request with this key in its custom payload is answered with the report under it. */
  static final String KEY = "sluice-report";

  /**
   * The report in an answer's custom payload: one line of {@code key=value}, in any order; numbers
   * that it leaves out are 0.
   *
   * @return null when there is none. A payload with anything else in it is none either: such a node
   *     hands back what it is sent, and what the proxy adds to requests would be seen by clients
   */
  static @Nullable AgentReport in(Map<String, ByteBuffer> payload) {
    ByteBuffer line = payload.size() == 1 ? payload.get(KEY) : null;
    return line == null
        ? null
        : of(fields(StandardCharsets.UTF_8.decode(line.duplicate()).toString()));
  }

  private static Map<String, String> fields(String line) {
    Map<String, String> fields = new HashMap<>();
    for (String field : line.split(" ", -1)) {
      int equals = field.indexOf('=');
      if (equals > 0) {
        fields.put(field.substring(0, equals), field.substring(equals + 1));
      }
    }
    return fields;
  }

  private static @Nullable AgentReport of(Map<String, String> fields) {
    String enabled = fields.get("enabled");
    return enabled == null
        ? null
        : new AgentReport(
            Boolean.parseBoolean(enabled),
            number(fields, "queuedLocalPoints"),
            number(fields, "queuedRemotePoints"),
            number(fields, "queuedRanges"),
            number(fields, "overtakes"),
            number(fields, "aged"),
            number(fields, "unknown"),
            number(fields, "widthsTold"),
            number(fields, "ageLimitMillis"));
  }

  private static long number(Map<String, String> fields, String key) {
    try {
      return Math.max(0, Long.parseLong(fields.getOrDefault(key, "0")));
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
