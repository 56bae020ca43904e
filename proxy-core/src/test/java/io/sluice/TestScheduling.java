package io.sluice;

import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.testkit.Records;

/** Settings of the scheduler that differ from the defaults in one value. */
final class TestScheduling {

  private TestScheduling() {}

  static SchedulingConfig mode(SchedulingConfig.Mode mode) {
    return SchedulingConfig.defaults().in(mode);
  }

  static SchedulingConfig concurrentReads(int reads) {
    return Records.with(SchedulingConfig.defaults(), "concurrentReads", reads);
  }
}
