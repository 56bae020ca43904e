package io.sluice.it;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;

/**
 * Closed-loop clients over plain sockets, so that every response is seen: each stream sends its
 * next request after the response to the last. The load uses all cores unless it is eased.
 */
final class Load implements AutoCloseable {
  private static final int SILENCE_MILLIS = 20_000;
  private static final long EASED_PAUSE_NANOS = 10_000_000;

  private final Queue<Answered> answers = new ConcurrentLinkedQueue<>();
  private final Queue<String> faults = new ConcurrentLinkedQueue<>();
  private final AtomicInteger next = new AtomicInteger();
  private final List<Thread> threads = new ArrayList<>();
  private final IntFunction<Ask> requests;
  private volatile boolean eased;
  private volatile boolean ending;

  /**
   * One request.
   *
   * @param read whether it is a read
   * @param opcode its opcode
   * @param body its body in version 4
   */
  record Ask(boolean read, int opcode, io.netty.buffer.ByteBuf body) {}

  /**
   * One request with its outcome.
   *
   * @param read whether it is a read
   * @param started time at which it was sent, in nanoseconds
   * @param ended time of the response
   * @param outcome "ok", or the error's code and message
   */
  record Answered(boolean read, long started, long ended, String outcome) {

    boolean failed() {
      return !outcome.equals("ok");
    }

    long millis() {
      return (ended - started) / 1_000_000;
    }
  }

  /** Starts the load at once. {@code requests} creates request number n from n. */
  Load(Target target, int connections, int streams, IntFunction<Ask> requests) throws IOException {
    this.requests = requests;
    for (int i = 0; i < connections; i++) {
      RawConnection connection = RawConnection.ready(target.address(), 4);
      Thread thread = new Thread(() -> loop(connection, streams), "load-" + i);
      threads.add(thread);
      thread.start();
    }
  }

  /**
   * Runs an action that needs cores, such as the start of a node. Meanwhile each connection waits
   * 10 ms after each response.
   */
  void easedWhile(Runnable happening) {
    eased = true;
    try {
      happening.run();
    } finally {
      eased = false;
    }
  }

  /** Stops sending, and waits for all responses. */
  List<Answered> end() throws InterruptedException {
    ending = true;
    for (Thread thread : threads) {
      thread.join();
    }
    return List.copyOf(answers);
  }

  /**
   * Returns the faults: requests without a response, responses without a request, closed
   * connections.
   */
  List<String> faults() {
    return List.copyOf(faults);
  }

  /** Returns the number of responses so far. */
  int answered() {
    return answers.size();
  }

  @Override
  public void close() {
    ending = true;
  }

  private void loop(RawConnection connection, int streams) {
    Ask[] asked = new Ask[streams];
    long[] sent = new long[streams];
    int open = 0;
    try (connection) {
      connection.waitAtMost(SILENCE_MILLIS);
      for (int stream = 0; stream < streams; stream++) {
        send(connection, stream, asked, sent);
        open++;
      }
      while (open > 0) {
        RawFrame answer = connection.read();
        if (answer == null) {
          faults.add("connection closed with " + open + " requests open");
          return;
        }
        if (answer.stream() < 0 || answer.stream() >= streams || sent[answer.stream()] == 0) {
          faults.add("answer without request on stream " + answer.stream());
          continue;
        }
        note(asked[answer.stream()], sent[answer.stream()], answer);
        sent[answer.stream()] = 0;
        if (eased) {
          LockSupport.parkNanos(EASED_PAUSE_NANOS);
        }
        if (ending) {
          open--;
        } else {
          send(connection, answer.stream(), asked, sent);
        }
      }
    } catch (SocketTimeoutException e) {
      faults.add(open + " requests open and no answer for " + SILENCE_MILLIS + " ms");
    } catch (IOException e) {
      faults.add(String.valueOf(e));
    }
  }

  private void send(RawConnection connection, int stream, Ask[] asked, long[] sent)
      throws IOException {
    Ask ask = requests.apply(next.getAndIncrement());
    asked[stream] = ask;
    sent[stream] = System.nanoTime();
    byte[] body = io.netty.buffer.ByteBufUtil.getBytes(ask.body());
    connection.send(Bytes.frame(4, 0, stream, ask.opcode(), body));
  }

  private void note(Ask ask, long started, RawFrame answer) {
    String outcome =
        answer.opcode() == RawFrame.RESULT
            ? "ok"
            : "opcode "
                + answer.opcode()
                + (answer.opcode() == RawFrame.ERROR
                    ? " code " + Integer.toHexString(answer.code()) + " " + answer.message()
                    : "");
    answers.add(new Answered(ask.read(), started, System.nanoTime(), outcome));
  }
}
