package io.sluice.time;

import java.util.ArrayList;
import java.util.List;

/**
 * The deadlines of one lane, with a queue for each different delay. There are few queues: those of
 * the delays that are used most. A further delay takes the place of an idle queue, or has a timer
 * of its own. Not safe for several threads: one lane.
 */
public final class DelayQueues {

  /** Deadlines follow the nodes' timeouts, so there are few different delays. */
  private static final int MAX = 32;

  private final NanoClock clock;
  private final Timer timer;
  private final List<EqualDelays> queues = new ArrayList<>();

  /**
   * Creates an instance without queues.
   *
   * @param timer a timer that calls on the lane, never early
   */
  public DelayQueues(NanoClock clock, Timer timer) {
    this.clock = clock;
    this.timer = timer;
  }

  /** Runs {@code task} once after the delay, or a little later. */
  public Timer.Timeout add(long delayNanos, Runnable task) {
    for (int i = 0; i < queues.size(); i++) {
      EqualDelays queue = queues.get(i);
      if (queue.delayNanos() == delayNanos) {
        return queue.add(task);
      }
    }
    if (queues.size() == MAX) {
      queues.removeIf(EqualDelays::isIdle);
    }
    if (queues.size() == MAX) {
      return timer.schedule(delayNanos, task);
    }
    EqualDelays added = new EqualDelays(delayNanos, clock, timer);
    queues.add(added);
    return added.add(task);
  }
}
