package io.sluice.agent.hook;

import io.sluice.agent.classify.ReadTasks;
import io.sluice.agent.classify.RequestTasks;
import io.sluice.agent.queue.ReadQueue;
import io.sluice.agent.queue.TaskClassifier;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import javax.management.JMException;
import org.jspecify.annotations.Nullable;

/** Called by the constructors of Cassandra's {@code SEPExecutor}. Safe for any thread. */
public final class StageHook {
  private static final String READ_STAGE = "ReadStage";
  private static final String NATIVE_TRANSPORT = "Native-Transport-Requests";

  private static volatile @Nullable Settings settings;

  private static volatile @Nullable OrderedStage readStage;

  private StageHook() {}

  /** Returns the read stage's report; null before its first read. */
  static @Nullable String report() {
    OrderedStage stage = readStage;
    return stage == null ? null : stage.getReport();
  }

  /**
   * Sets the settings. Must be called before the first executor is created; otherwise no executor
   * is ordered.
   */
  public static void prepare(Settings wanted) {
    settings = wanted;
  }

  /**
   * Returns the queue that an executor uses: an ordered one for the read stage, else its own. Does
   * not throw.
   */
  public static ConcurrentLinkedQueue<Object> queueFor(
      @Nullable String executor, ConcurrentLinkedQueue<Object> own) {
    try {
      Settings wanted = settings;
      if (wanted == null || executor == null || own instanceof ReadQueue || !own.isEmpty()) {
        return own;
      }
      if (executor.endsWith(READ_STAGE)) {
        return ordered("ReadStage", new ReadTasks(wanted.hints()), wanted);
      }
      if (executor.equals(NATIVE_TRANSPORT) && wanted.nativeTransport()) {
        return ordered("NativeTransport", new RequestTasks(wanted.hints()), wanted);
      }
      return own;
    } catch (Throwable e) {
      AgentLog.warn("the stage " + executor + " is not ordered", e);
      return own;
    }
  }

  private static ConcurrentLinkedQueue<Object> ordered(
      String type, TaskClassifier classifier, Settings wanted) throws JMException {
    AgentLog.cassandraIsUp();
    ReadQueue queue =
        new ReadQueue(
            classifier,
            TimeUnit.MILLISECONDS.toNanos(wanted.ageLimitMillis()),
            System::nanoTime,
            fault ->
                AgentLog.warn(
                    "more than half of the last 1000 tasks of "
                        + type
                        + " could not be classified: the stage is first in, first out from now on",
                    fault));
    OrderedStage stage = new OrderedStage(queue);
    stage.register(type);
    if (type.equals("ReadStage")) {
      readStage = stage;
    }
    AgentLog.info(type + " is ordered, age limit " + wanted.ageLimitMillis() + " ms");
    return queue;
  }

  /** The agent's settings for stages. Immutable. */
  public static final class Settings {
    private final long ageLimitMillis;
    private final boolean nativeTransport;
    private final boolean hints;

    /**
     * Creates settings.
     *
     * @param ageLimitMillis time after which a range read may pass point reads
     * @param nativeTransport whether Native-Transport-Requests is ordered too
     * @param hints whether hints about range reads are used
     */
    public Settings(long ageLimitMillis, boolean nativeTransport, boolean hints) {
      this.ageLimitMillis = ageLimitMillis;
      this.nativeTransport = nativeTransport;
      this.hints = hints;
    }

    long ageLimitMillis() {
      return ageLimitMillis;
    }

    boolean nativeTransport() {
      return nativeTransport;
    }

    boolean hints() {
      return hints;
    }
  }
}
