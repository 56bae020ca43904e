package io.sluice.link;

import io.sluice.link.Link.AnswerHandler;
import io.sluice.wire.Frame;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The requests in flight on one link, by stream id. The stream id of an abandoned request stays
 * taken (orphaned) until the late response arrives. Otherwise another request with that id would
 * get the first one's rows. Not safe for several threads: one lane.
 */
final class InFlight {

  private static final int MAX_STREAMS = 32_768;

  /** The handler of an abandoned request of this many bytes. */
  private record Orphan(int bytes) implements AnswerHandler {

    @Override
    public void answered(Frame answer) {
      answer.release();
    }

    @Override
    public void lost(String reason) {
      // The request was abandoned.
    }
  }

  private final LongConsumer orphans;
  private @Nullable AnswerHandler[] byStream = new AnswerHandler[64];
  private int[] free = new int[64];
  private int freeCount;
  private int used;
  private int waiting;
  private long orphanedBytes;

  /**
   * Creates an empty map.
   *
   * @param orphans counts the bytes of abandoned requests that are not sent yet
   */
  InFlight(LongConsumer orphans) {
    this.orphans = orphans;
  }

  /** Takes a stream id for {@code handler}. Returns −1 when all are taken. */
  int add(AnswerHandler handler) {
    int stream;
    if (freeCount > 0) {
      stream = free[--freeCount];
    } else if (used < MAX_STREAMS) {
      stream = used++;
      if (stream == byStream.length) {
        byStream = Arrays.copyOf(byStream, 2 * stream);
        free = Arrays.copyOf(free, 2 * stream);
      }
    } else {
      return -1;
    }
    byStream[stream] = handler;
    waiting++;
    return stream;
  }

  /** Frees {@code stream} and returns its handler; null when the stream id was not taken. */
  @Nullable AnswerHandler remove(int stream) {
    if (stream < 0 || stream >= used) {
      return null;
    }
    AnswerHandler handler = byStream[stream];
    if (handler != null) {
      byStream[stream] = null;
      free[freeCount++] = stream;
      if (handler instanceof Orphan orphan) {
        orphanedBytes -= orphan.bytes();
      } else {
        waiting--;
      }
    }
    return handler;
  }

  /**
   * Abandons the request of {@code handler} on {@code stream}. Does nothing when the request has
   * ended.
   *
   * @param bytes the length of the request
   */
  void orphan(int stream, AnswerHandler handler, int bytes) {
    if (byStream[stream] == handler) {
      byStream[stream] = new Orphan(bytes);
      orphanedBytes += bytes;
      waiting--;
    }
  }

  /** Returns the handlers that wait now, without orphans. */
  List<AnswerHandler> waiters() {
    List<AnswerHandler> waiters = new ArrayList<>(waiting);
    for (int i = 0; i < used; i++) {
      AnswerHandler handler = byStream[i];
      if (handler != null && !(handler instanceof Orphan)) {
        waiters.add(handler);
      }
    }
    return waiters;
  }

  /** Removes all requests and returns the handlers that waited. */
  List<AnswerHandler> clear() {
    List<AnswerHandler> waiters = waiters();
    Arrays.fill(byStream, null);
    freeCount = 0;
    used = 0;
    waiting = 0;
    orphanedBytes = 0;
    return waiters;
  }

  /** Returns the number of requests in flight, without orphans. */
  int waiting() {
    return waiting;
  }

  /**
   * Counts the abandoned requests whose responses have not arrived, but no more bytes than the
   * connection has yet to send.
   */
  void countOrphans(long unsent) {
    orphans.accept(Math.min(unsent, orphanedBytes));
  }

  /** Returns the number of taken stream ids, including orphans. */
  int taken() {
    return used - freeCount;
  }
}
