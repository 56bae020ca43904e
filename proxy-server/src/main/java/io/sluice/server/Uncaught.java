package io.sluice.server;

import io.sluice.memory.OutOfMemory;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles uncaught exceptions. An OutOfMemoryError ends the process with one line, as the JVM does
 * by itself for its heap. All others are logged.
 */
final class Uncaught implements Thread.UncaughtExceptionHandler {

  private static final Logger LOG = LoggerFactory.getLogger(Uncaught.class);

  /** The exit code of -XX:+ExitOnOutOfMemoryError. */
  private static final int OUT_OF_MEMORY = 3;

  private final IntConsumer halt;

  /** Creates a handler that ends the process by {@code halt}, without shutdown hooks. */
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
