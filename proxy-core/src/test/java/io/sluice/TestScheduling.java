package io.sluice;

import io.sluice.decide.schedule.SchedulingConfig;

/** Settings of the scheduler that differ from the defaults in one value. */
final class TestScheduling {

  private TestScheduling() {}

  static SchedulingConfig mode(SchedulingConfig.Mode mode) {
    return with(mode, SchedulingConfig.defaults().concurrentReads());
  }

  static SchedulingConfig concurrentReads(int reads) {
    return with(SchedulingConfig.defaults().mode(), reads);
  }

  private static SchedulingConfig with(SchedulingConfig.Mode mode, int reads) {
    SchedulingConfig from = SchedulingConfig.defaults();
    return new SchedulingConfig(
        mode,
        from.pointPriority(),
        from.rangeOrder(),
        reads,
        from.rangeSlots(),
        from.rangeSlotsStart(),
        from.rangeSlotsMin(),
        from.readTimeout(),
        from.rangeTimeout(),
        from.pointBacklog(),
        from.rangeBacklog(),
        from.ageing(),
        from.tenantWeights());
  }
}
