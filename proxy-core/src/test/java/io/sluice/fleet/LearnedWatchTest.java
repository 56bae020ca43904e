package io.sluice.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.watch.FleetTables.LearnedTable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests reads and writes of the densities that proxies have learned, round by round. */
class LearnedWatchTest {
  private static final InetSocketAddress A = new InetSocketAddress("10.0.0.1", 9042);
  private static final ByteBuffer SOMETHING = ByteBuffer.wrap(new byte[] {1, 2});

  private int reads;
  private final List<InetSocketAddress> writes = new ArrayList<>();
  private final List<List<LearnedTable.Row>> heard = new ArrayList<>();
  private boolean fails;
  private boolean hangs;
  private @Nullable ByteBuffer own = SOMETHING;

  private final LearnedTable table =
      new LearnedTable() {
        @Override
        public CompletionStage<List<Row>> read() {
          reads++;
          return hangs
              ? new CompletableFuture<>()
              : fails
                  ? CompletableFuture.failedFuture(new IOException("no quorum"))
                  : CompletableFuture.completedFuture(List.of(new Row(A, 1, SOMETHING)));
        }

        @Override
        public CompletionStage<?> write(InetSocketAddress by, ByteBuffer learned) {
          writes.add(by);
          return CompletableFuture.completedFuture("");
        }
      };

  private final LearnedWatch watch =
      new LearnedWatch(
          A,
          table,
          new LearnedWatch.Learned() {
            @Override
            public @Nullable ByteBuffer own() {
              return own;
            }

            @Override
            public void others(List<LearnedTable.Row> rows) {
              heard.add(rows);
            }
          });

  private void rounds(int count) {
    for (int i = 0; i < count; i++) {
      watch.round();
    }
  }

  @Test
  void the_first_round_reads_and_later_reads_are_rare() {
    rounds(1);
    assertThat(heard).containsExactly(List.of(new LearnedTable.Row(A, 1, SOMETHING)));
    rounds(LearnedWatch.READ_EVERY);
    assertThat(reads).isOne();
    rounds(1);
    assertThat(reads).isEqualTo(2);
  }

  @Test
  void learned_densities_are_written_once_in_several_rounds() {
    own = null;
    rounds(20);
    assertThat(writes).isEmpty();
    own = SOMETHING;
    rounds(LearnedWatch.WRITE_EVERY + 2);
    assertThat(writes).containsExactly(A, A);
    watch.write();
    assertThat(writes).as("after the final write").hasSize(3);
  }

  @Test
  void a_failed_read_is_repeated_in_the_next_round_before_any_write() {
    fails = true;
    rounds(5);
    assertThat(reads).isEqualTo(5);
    assertThat(writes).isEmpty();
    assertThat(heard).isEmpty();
    fails = false;
    rounds(2);
    assertThat(heard).hasSize(1);
    assertThat(writes).hasSize(1);
  }

  @Test
  void no_second_read_is_sent_while_one_is_in_flight() {
    hangs = true;
    rounds(100);
    assertThat(reads).isOne();
  }
}
