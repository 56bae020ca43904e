package io.sluice.agent.hook;

import io.sluice.agent.hint.CurrentHint;
import io.sluice.agent.hint.Hint;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Called when Cassandra takes a request, starts a round of a range read, or creates a message to
 * another replica. Safe for any thread. No method throws.
 */
public final class HintHook {
  /**
   * The key in the custom payload by which a request asks for the read stage's report. The answer
   * has the report, a line in UTF-8, under the same key.
   */
  public static final String REPORT_KEY = "sluice-report";

  private static final long ANY_ROWS = Long.MAX_VALUE;

  private static final HintedMessages MESSAGES = new HintedMessages();

  private HintHook() {}

  /** Notes that a request begins on this thread. */
  public static void requestBegins(@Nullable Map<String, ByteBuffer> payload) {
    if (payload != null) {
      CurrentHint.set(Hint.in(payload));
    }
  }

  /**
   * Notes that the request of this thread has ended. Adds the report to its answer, if there is an
   * answer and the request asked for the report.
   */
  public static void requestEnds(
      @Nullable Map<String, ByteBuffer> payload, @Nullable Object answer) {
    CurrentHint.set(null);
    if (payload != null && answer != null && payload.containsKey(REPORT_KEY)) {
      report(answer);
    }
  }

  /**
   * Notes that a round of a range read begins on this thread. If the request has no hint, or one
   * without a width, the coordinator's concurrency is the width until the round ends.
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

  /** Restores the request's hint after the round: the next round may have another width. */
  public static void roundEnds(@Nullable Object requests) {
    CurrentHint.set((Hint) requests);
  }

  /** Returns the message to send for a command: with this thread's hint, if it has one. */
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
      // The client gets no report, as from a node without the agent.
      return;
    }
  }
}
