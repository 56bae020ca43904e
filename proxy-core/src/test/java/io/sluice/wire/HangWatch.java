package io.sluice.wire;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A thread that ends the process if an input of a fuzz target does not end. It measures the time of
 * the processor, because the process may be stopped or starved. Safe for any thread.
 */
final class HangWatch {

  private static final long PAUSE_MILLIS = 1_000;

  /** One input in progress. */
  private static final class Running {
    private final byte[] input;
    private final Thread thread;

    Running(byte[] input, Thread thread) {
      this.input = input;
      this.thread = thread;
    }
  }

  private final Thread watcher = new Thread(this::watch, "fuzz-hang-watch");
  private volatile @Nullable Running running;

  HangWatch() {
    watcher.setDaemon(true);
  }

  void start() {
    watcher.start();
  }

  void close() {
    watcher.interrupt();
  }

  void begin(byte[] input) {
    running = new Running(input, Thread.currentThread());
  }

  void end() {
    running = null;
  }

  private void watch() {
    Samples samples = new Samples();
    try {
      while (true) {
        Thread.sleep(PAUSE_MILLIS);
        Running seen = running;
        if (seen != null && samples.areOfAHang(seen, cpuNanos(seen.thread), isWaiting(seen))) {
          end(seen);
        }
      }
    } catch (InterruptedException e) {
      // The target has ended.
    }
  }

  static long cpuNanos(Thread thread) {
    return ManagementFactory.getThreadMXBean().getThreadCpuTime(thread.getId());
  }

  private static boolean isWaiting(Running seen) {
    return seen.thread.getState() != Thread.State.RUNNABLE;
  }

  private static void end(Running hung) {
    Path file = Path.of("target", "hang-" + Integer.toHexString(Arrays.hashCode(hung.input)));
    System.err.println("An input does not end; it is in " + file);
    for (StackTraceElement each : hung.thread.getStackTrace()) {
      System.err.println("  at " + each);
    }
    try {
      Files.write(file, hung.input);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      Runtime.getRuntime().halt(1);
    }
  }

  /** The samples of the input that was seen last. */
  static final class Samples {
    private static final long MAX_CPU_NANOS = 10_000_000_000L;
    private static final int MAX_WAITING = 10;

    private @Nullable Object last;
    private long cpuBefore;
    private int waiting;

    /** Whether this input has used too much time, or waits in each of many samples. */
    boolean areOfAHang(Object input, long cpuNanos, boolean isWaiting) {
      if (input != last) {
        last = input;
        cpuBefore = cpuNanos;
        waiting = 0;
      }
      waiting = isWaiting ? waiting + 1 : 0;
      return waiting > MAX_WAITING || cpuNanos - cpuBefore > MAX_CPU_NANOS;
    }
  }
}
