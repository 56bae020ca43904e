package io.sluice.agent.join;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class JoinCountsTest {
  private final JoinCounts counts = new JoinCounts();

  @Test
  void the_summary_has_the_waits_in_whole_milliseconds_and_the_longest() {
    counts.filesSynced.set(3);
    counts.bytesSynced.set(70);
    counts.syncsPutOff.set(8);
    counts.barrier(1_600_000);
    counts.barrier(4_500_000);
    counts.barrier(900_000);

    assertThat(counts.summary())
        .isEqualTo(
            "received 3 files, 70 bytes; 8 syncs were deferred, and done in 7 ms before 3 commits,"
                + " the longest 4 ms");
  }
}
