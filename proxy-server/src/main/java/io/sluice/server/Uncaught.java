package io.sluice.server;

import io.sluice.memory.OutOfMemory;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the process with one line where memory is missing, as the JVM does by itself for its heap,
 * and logs what else a thread has not caught.
 */
final class Uncaught implements Thread.UncaughtExceptionHandler {

  private static final Logger LOG = LoggerFactory.getLogger(Uncaught.class);

  /** As with -XX:+ExitOnOutOfMemoryError. */
  private static final int OUT_OF_MEMORY = 3;

  private final IntConsumer halt;

  /** A handler that ends the process by {@code halt}, without shutdown hooks. */
  Uncaught(IntConsumer halt) {
    this.halt = halt;
  }

  @Override
  public void uncaughtException(Thread thread, Throwable thrown) {
    OutOfMemoryError missing = OutOfMemory.in(thrown);
    if (missing != null) {
      System.err.println("Terminating due to " + missing);
      halt.accept(OUT_OF_MEMORY);
    }
    LOG.error("Thread {} has ended", thread.getName(), thrown);
  }
}
