package io.sluice.server.live;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * A response of server-sent events that lasts until the browser leaves. If a browser reads slowly,
 * only the newest event waits and is sent next. Safe for any thread.
 *
 * <p>The first event is that of {@link #begin}, and is never replaced.
 */
final class EventStream {

  private final Response response;
  private final Callback whenOver;

  /** Whether events have to wait: for the first one, or for the one that is being written. */
  private boolean writing = true;

  private boolean over;
  private @Nullable String next;

  /**
   * Creates a stream that has sent nothing yet.
   *
   * @param whenOver called once at the end
   */
  EventStream(Response response, Callback whenOver) {
    this.response = response;
    this.whenOver = whenOver;
  }

  /** Sends the first event. Called once. */
  void begin(String data) {
    if (!isOver()) {
      write(data);
    }
  }

  /** Sends one event, whose data has no line break. Replaces an event that waits. */
  void send(String data) {
    synchronized (this) {
      if (over) {
        return;
      } else if (writing) {
        next = data;
        return;
      }
      writing = true;
    }
    write(data);
  }

  private void write(String data) {
    response.write(
        false,
        ByteBuffer.wrap(("data: " + data + "\n\n").getBytes(StandardCharsets.UTF_8)),
        Callback.from(this::written, this::failed));
  }

  private void written() {
    String data;
    synchronized (this) {
      data = next;
      next = null;
      writing = data != null && !over;
      if (over) {
        return;
      }
    }
    if (data != null) {
      write(data);
    }
  }

  private void failed(Throwable cause) {
    synchronized (this) {
      if (over) {
        return;
      }
      over = true;
    }
    whenOver.failed(cause);
  }

  synchronized boolean isOver() {
    return over;
  }

  /** Ends the response. */
  void end() {
    synchronized (this) {
      if (over) {
        return;
      }
      over = true;
    }
    whenOver.succeeded();
  }
}
