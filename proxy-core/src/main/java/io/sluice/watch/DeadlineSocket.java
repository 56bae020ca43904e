package io.sluice.watch;

import io.sluice.time.NanoClock;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;

/**
 * A socket with one deadline for all its reads. The timeout of a {@link Socket} begins again with
 * each read, so a peer that sends single bytes can prolong it without end. Not safe for several
 * threads.
 */
final class DeadlineSocket extends Socket {

  private final NanoClock clock;
  private long deadline;

  DeadlineSocket(NanoClock clock) {
    this.clock = clock;
  }

  /** Sets the deadline of all later reads. */
  void readsFor(long millis) {
    deadline = clock.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
  }

  @Override
  public InputStream getInputStream() throws IOException {
    InputStream in = super.getInputStream();
    // No FilterInputStream: it would pass skip and others on, without the deadline.
    return new InputStream() {
      @Override
      public int read() throws IOException {
        beforeRead();
        return in.read();
      }

      @Override
      public int read(byte[] bytes, int offset, int length) throws IOException {
        beforeRead();
        return in.read(bytes, offset, length);
      }

      @Override
      public int available() throws IOException {
        return in.available();
      }

      @Override
      public void close() throws IOException {
        in.close();
      }
    };
  }

  private void beforeRead() throws IOException {
    long left = deadline - clock.nanoTime();
    if (left <= 0) {
      throw new SocketTimeoutException("Read timed out");
    }
    setSoTimeout((int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)));
  }
}
