package io.sluice.host.join;

import io.sluice.host.join.NodeMode.Reading;
import io.sluice.host.jvm.JmxRefused;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Reads a node's mode on a thread of its own, because a read at a node that hangs does not return.
 * Not safe for several threads.
 */
final class PatientMode implements AutoCloseable {
  private static final Reading NO_ANSWER = Reading.failed("the node does not answer");

  private final NodeMode node;
  private final ExecutorService reader = Executors.newSingleThreadExecutor(PatientMode::thread);
  private @Nullable Future<Reading> pending;

  PatientMode(NodeMode node) {
    this.node = node;
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "sluice-node-mode");
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Returns the mode, or a problem if it is not known after that time.
   *
   * @throws JmxRefused if no later read will succeed either
   */
  Reading now(long waitMillis) throws JmxRefused, InterruptedException {
    Future<Reading> read = pending == null ? reader.submit(node::now) : pending;
    pending = read;
    try {
      Reading reading = read.get(waitMillis, TimeUnit.MILLISECONDS);
      pending = null;
      return reading;
    } catch (TimeoutException e) {
      // The next call waits for the same read.
      return NO_ANSWER;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof JmxRefused refused) {
        throw refused;
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  /** Whether the node's process is alive. */
  boolean alive() {
    return node.alive();
  }

  /** Closes the connection after the last read. Does not wait for that. */
  @Override
  public void close() {
    reader.execute(node::close);
    reader.shutdown();
  }
}
