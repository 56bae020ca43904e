package io.sluice.agent.queue;

import java.util.EnumMap;
import java.util.Map;

/** The figures of a queue at one moment. Immutable. Counters are since the start of the node. */
public final class QueueReport {
  private final Map<Priority, Integer> queued = new EnumMap<>(Priority.class);
  private final long overtakes;
  private final long aged;
  private final long expired;
  private final long unknown;
  private final long widthsTold;

  QueueReport(StageOrder order) {
    for (Priority each : Priority.values()) {
      queued.put(each, order.size(each));
    }
    StageCounts counts = order.counts();
    this.overtakes = counts.overtakes;
    this.aged = counts.aged;
    this.expired = counts.expired;
    this.unknown = counts.unknown;
    this.widthsTold = counts.widthsTold;
  }

  /** Returns the number of queued tasks of a priority. */
  public int queued(Priority priority) {
    return queued.getOrDefault(priority, 0);
  }

  /** Returns the number of tasks taken while an older one was queued. */
  public long overtakes() {
    return overtakes;
  }

  /** Returns the number of tasks taken early because they had waited too long. */
  public long aged() {
    return aged;
  }

  /** Returns the number of tasks taken first because their deadline had expired. */
  public long expired() {
    return expired;
  }

  /** Returns the number of tasks that the classifier did not know. */
  public long unknown() {
    return unknown;
  }

  /** Returns the number of range reads whose width was not guessed. */
  public long widthsTold() {
    return widthsTold;
  }
}
