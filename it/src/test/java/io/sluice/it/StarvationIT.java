package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.it.cluster.CassandraCluster;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A range read gets its turn beside endless point reads. */
@CassandraCluster
class StarvationIT {

  /** A range read without a turn before its deadline would fail. */
  @Test
  void a_range_read_beside_endless_point_reads_is_in_time() throws Exception {
    Stage stage = Stage.plain();
    stage.needsProxy();
    LoadTable table = LoadTable.create(stage.sluice(), "starving");
    try (Load points = new Load(stage.sluice(), 8, 32, table::read)) {
      Waiting.aMoment(2_000);
      try (Load ranges = new Load(stage.sluice(), 1, 1, n -> table.range(1_000))) {
        Waiting.aMoment(10_000);
        List<Load.Answered> answers = ranges.end();
        assertThat(ranges.faults()).isEmpty();
        assertThat(answers).as("range reads done").isNotEmpty();
        assertThat(answers).allSatisfy(a -> assertThat(a.outcome()).isEqualTo("ok"));
      }
      points.end();
      assertThat(points.faults()).isEmpty();
    }
  }
}
