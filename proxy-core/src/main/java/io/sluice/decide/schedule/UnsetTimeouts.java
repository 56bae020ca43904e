package io.sluice.decide.schedule;

import io.sluice.decide.PriorityClass;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The timeouts that take the place of those that the settings do not name. Immutable.
 *
 * @param read the nodes' timeout of point reads; null while it is unknown
 * @param range the nodes' timeout of range reads; null while it is unknown
 * @param most the longest time that a read without a timeout of its own has; null for any
 */
record UnsetTimeouts(@Nullable Duration read, @Nullable Duration range, @Nullable Duration most) {

  /** Nothing is known. */
  static final UnsetTimeouts UNKNOWN = new UnsetTimeouts(null, null, null);

  UnsetTimeouts ofNodes(Duration nodesRead, Duration nodesRange) {
    return new UnsetTimeouts(nodesRead, nodesRange, most);
  }

  UnsetTimeouts atMost(@Nullable Duration bound) {
    return new UnsetTimeouts(read, range, bound);
  }

  /** Returns the settings with the timeouts that apply to reads. */
  SchedulingConfig in(SchedulingConfig settings) {
    return settings.withTimeouts(
        timeout(settings, PriorityClass.POINT, read),
        timeout(settings, PriorityClass.RANGE, range));
  }

  private Duration timeout(
      SchedulingConfig settings, PriorityClass priorityClass, @Nullable Duration ofNodes) {
    Duration set = settings.setTimeout(priorityClass);
    if (set != null) {
      return set;
    }
    Duration automatic = ofNodes == null ? settings.timeout(priorityClass) : ofNodes;
    Duration bounded = most != null && most.compareTo(automatic) < 0 ? most : automatic;
    return SchedulingConfig.atLeast(bounded);
  }
}
