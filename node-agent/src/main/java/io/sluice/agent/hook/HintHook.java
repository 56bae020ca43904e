package io.sluice.agent.hook;

import io.sluice.agent.hint.CurrentHint;
import io.sluice.agent.hint.Hint;
import io.sluice.agent.hint.HintedMessages;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Called where Cassandra takes a request, starts a round of a range read, and makes a message for
 * another replica. Safe for any thread. Nothing here throws.
 */
public final class HintHook {
  /**
   * A request with this key in its custom payload is answered with the read stage's report, one
   * line in UTF-8, under the same key.
   */
  public static final String REPORT_KEY = "sluice-report";

  private static final long ANY_ROWS = Long.MAX_VALUE;

  private static final HintedMessages MESSAGES = new HintedMessages();

  private HintHook() {}

  /** A request begins on this thread. */
  public static void requestBegins(@Nullable Map<String, ByteBuffer> payload) {
    if (payload != null) {
      CurrentHint.set(Hint.in(payload));
    }
  }

  /**
   * The request that began on this thread has ended; its answer, if there is one, gets the report
   * if the request asked for it.
   */
  public static void requestEnds(
      @Nullable Map<String, ByteBuffer> payload, @Nullable Object answer) {
    CurrentHint.set(null);
    if (payload != null && answer != null && payload.containsKey(REPORT_KEY)) {
      report(answer);
    }
  }

  /**
   * A round of a range read begins on this thread. Where the request's hint tells no width, or
   * there is none, the coordinator's own concurrency stands for it until the round ends.
   *
   * @return the request's hint, for {@link #roundEnds}
   */
  public static @Nullable Object roundBegins(int concurrency) {
    Hint requests = CurrentHint.get();
    if (requests == null) {
      CurrentHint.set(Hint.of(concurrency, ANY_ROWS));
    } else if (!requests.hasWidth()) {
      CurrentHint.set(Hint.of(concurrency, requests.rows()));
    }
    return requests;
  }

  /** The round has ended: the next one may have another width. */
  public static void roundEnds(@Nullable Object requests) {
    CurrentHint.set((Hint) requests);
  }

  /** The message that shall be sent for that command: with this thread's hint, if it has one. */
  public static Object messageFor(Object command, Object message) {
    Hint hint = CurrentHint.get();
    return hint == null ? message : MESSAGES.with(hint, command, message);
  }

  private static void report(Object answer) {
    String report = StageHook.report();
    if (report == null) {
      return;
    }
    Map<String, ByteBuffer> payload =
        Collections.singletonMap(
            REPORT_KEY, ByteBuffer.wrap(report.getBytes(StandardCharsets.UTF_8)));
    try {
      answer.getClass().getMethod("setCustomPayload", Map.class).invoke(answer, payload);
    } catch (ReflectiveOperationException e) {
      // The client sees no report, as from a node without the agent.
      return;
    }
  }
}
