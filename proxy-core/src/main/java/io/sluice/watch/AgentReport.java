package io.sluice.watch;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The report of a node agent about the read stage that it orders. Counters start with the node.
 *
 * @param enabled whether the agent orders reads; otherwise the read stage is first in, first out
 * @param queuedLocalPoints queued point reads of the node's own clients
 * @param queuedRemotePoints queued point reads of other coordinators
 * @param queuedRanges queued range reads
 * @param overtakes reads that started before an older one
 * @param aged reads that started before their turn because they had waited too long
 * @param unknown reads that the agent could not classify
 * @param widthsTold range reads whose width the proxy or the coordinator had sent
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

  /**
   * Key in custom payloads. The agent answers a request with this key by a report under the same
   * key.
   */
  static final String KEY = "sluice-report";

  /**
   * Parses the report in an answer's custom payload: one line of {@code key=value}, in any order. A
   * missing number is 0.
   *
   * @return null when there is no report. A payload with other entries counts as none: such a node
   *     echoes the payload of requests, so clients would see what the proxy adds to requests
   */
  static @Nullable AgentReport fromPayload(Map<String, ByteBuffer> payload) {
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
