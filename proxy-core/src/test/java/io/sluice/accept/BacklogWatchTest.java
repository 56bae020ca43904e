package io.sluice.accept;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.time.TestLane;
import org.junit.jupiter.api.Test;

/** Tests when the watch looks, and when it gives its estimate up. */
class BacklogWatchTest {

  private final TestLane lane = new TestLane();
  private long unread;
  private int resets;
  private boolean holdsBack = true;
  private int drains;

  private final BacklogWatch watch =
      new BacklogWatch(
          new ReceiverBacklog() {
            @Override
            public long bytes() {
              return unread;
            }

            @Override
            public void forget() {
              resets++;
            }
          },
          lane);

  private final BacklogWatch.Waiting waiting =
      new BacklogWatch.Waiting() {
        @Override
        public boolean holdsBack() {
          return holdsBack;
        }

        @Override
        public void drain() {
          drains++;
        }
      };

  /** Lets this many milliseconds pass, with one look in each. */
  private void look(int times) {
    for (int i = 0; i < times; i++) {
      watch.lookSoon(waiting);
      lane.pass(1);
    }
  }

  @Test
  void one_look_at_a_time_is_scheduled_and_drains_what_waits() {
    watch.lookSoon(waiting);
    watch.lookSoon(waiting);
    assertThat(lane.scheduled()).isEqualTo(1);
    assertThat(drains).isZero();
    lane.pass(1);
    assertThat(drains).isEqualTo(1);
    look(1);
    assertThat(drains).isEqualTo(2);
  }

  @Test
  void the_estimate_is_reset_after_four_looks_without_progress() {
    unread = 1_000;
    look(3);
    assertThat(resets).isZero();
    look(1);
    assertThat(resets).isEqualTo(1);
    look(3);
    assertThat(resets).isEqualTo(1);
    look(1);
    assertThat(resets).isEqualTo(2);
  }

  @Test
  void the_estimate_is_kept_for_a_client_that_reads_however_slowly() {
    unread = 1_000;
    for (int i = 0; i < 9; i++) {
      watch.lookSoon(waiting);
      unread--;
      lane.pass(1);
    }
    assertThat(resets).isZero();
    assertThat(watch.bytes()).isEqualTo(991);
  }

  @Test
  void the_estimate_is_kept_while_no_read_has_to_wait_for_the_client() {
    unread = 1_000;
    look(3);
    holdsBack = false;
    look(1);
    holdsBack = true;
    look(3);
    assertThat(resets).isZero();
  }
}
