package io.sluice.agent.queue;

import java.util.EnumMap;
import java.util.Map;

/** A queue's numbers at one moment. Immutable; counters are since the node's start. */
public final class QueueReport {
  private final Map<Lane, Integer> queued = new EnumMap<>(Lane.class);
  private final long overtakes;
  private final long aged;
  private final long expired;
  private final long unknown;
  private final long widthsTold;

  QueueReport(Lanes lanes) {
    for (Lane each : Lane.values()) {
      queued.put(each, lanes.size(each));
    }
    LaneCounts counts = lanes.counts();
    this.overtakes = counts.overtakes;
    this.aged = counts.aged;
    this.expired = counts.expired;
    this.unknown = counts.unknown;
    this.widthsTold = counts.widthsTold;
  }

  /** How many wait in a lane. */
  public int queued(Lane lane) {
    return queued.getOrDefault(lane, 0);
  }

  /** How many were taken although an older one waited. */
  public long overtakes() {
    return overtakes;
  }

  /** How many were taken before their turn because they had waited too long. */
  public long aged() {
    return aged;
  }

  /** How many were taken first because their deadline was over. */
  public long expired() {
    return expired;
  }

  /** How many the classifier did not know. */
  public long unknown() {
    return unknown;
  }

  /** How many range reads came with a width that is not a guess. */
  public long widthsTold() {
    return widthsTold;
  }
}
