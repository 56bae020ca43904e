package io.sluice.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.time.Lane;
import io.sluice.time.TestLane;
import org.junit.jupiter.api.Test;

/** Tests when a client lags: it would need a minute for the bytes in transit. */
class TransferTest {

  private static final long MIB = 1 << 20;
  private static final long PERIOD_MILLIS = 5_000;

  private final TestLane lane = new TestLane();
  private int recounts;
  private final Transfer transfer =
      new Transfer(
          MemoryBudget.unlimited(),
          new MemoryAccount.Holder() {
            @Override
            public Lane lane() {
              return lane;
            }

            @Override
            public void recount() {
              recounts++;
            }

            @Override
            public void evict(long bytes) {
              throw new AssertionError("a transfer disconnects no client");
            }
          });

  private void pass() {
    transfer.watch();
    lane.pass(PERIOD_MILLIS);
  }

  @Test
  void a_client_lags_from_the_first_period_in_which_it_takes_less_than_a_twelfth() {
    transfer.unread(12 * MIB, 0);
    transfer.watch();
    lane.pass(PERIOD_MILLIS - 1);
    assertThat(recounts).isZero();
    transfer.unread(12 * MIB, MIB);
    lane.pass(1);
    assertThat(recounts).isEqualTo(1);
    assertThat(transfer.isLagging()).isFalse();
    transfer.unread(12 * MIB, 2 * MIB - 1);
    pass();
    assertThat(transfer.isLagging()).isTrue();
    transfer.unread(12 * MIB, 4 * MIB);
    pass();
    assertThat(transfer.isLagging()).isFalse();
  }

  @Test
  void an_unfinished_frame_moves_as_it_grows_and_as_it_ends() {
    transfer.unfinished(12 * MIB);
    transfer.watch();
    transfer.unfinished(14 * MIB);
    pass();
    assertThat(transfer.isLagging()).isFalse();
    transfer.unfinished(MIB);
    pass();
    assertThat(transfer.isLagging()).as("the frame was completed").isFalse();
    pass();
    assertThat(transfer.isLagging()).isTrue();
  }

  @Test
  void an_unfinished_frame_that_the_proxy_does_not_read_is_not_the_clients_fault() {
    transfer.unfinished(12 * MIB);
    transfer.reading(false);
    pass();
    assertThat(transfer.isLagging()).isFalse();
    transfer.reading(true);
    pass();
    assertThat(transfer.isLagging()).isTrue();
  }

  @Test
  void a_small_client_is_not_watched() {
    transfer.unread(MemoryBudget.SMALL_BYTES, 0);
    pass();
    assertThat(lane.scheduled()).isZero();
    assertThat(recounts).isZero();
    transfer.unread(MemoryBudget.SMALL_BYTES + 1, 0);
    pass();
    assertThat(transfer.isLagging()).isTrue();
    transfer.unread(0, MIB);
    pass();
    assertThat(transfer.isLagging()).isFalse();
    assertThat(lane.scheduled()).isZero();
  }

  @Test
  void only_changes_of_the_bytes_are_reported() {
    assertThat(transfer.unread(MIB, 0)).isTrue();
    assertThat(transfer.unread(MIB, 5 * MIB)).isFalse();
    assertThat(transfer.unfinished(2 * MIB)).isTrue();
    assertThat(transfer.unfinished(2 * MIB)).isFalse();
    assertThat(transfer.bytes()).isEqualTo(3 * MIB);
    assertThat(transfer.unread()).isEqualTo(MIB);
  }

  @Test
  void a_closed_transfer_holds_nothing_and_is_not_watched_any_more() {
    transfer.unread(MIB, 0);
    pass();
    assertThat(transfer.isLagging()).isTrue();
    transfer.close();
    assertThat(transfer.isLagging()).isFalse();
    assertThat(transfer.bytes()).isZero();
    lane.pass(PERIOD_MILLIS);
    assertThat(recounts).as("by the one look before").isEqualTo(1);
    assertThat(lane.scheduled()).isZero();
  }
}
