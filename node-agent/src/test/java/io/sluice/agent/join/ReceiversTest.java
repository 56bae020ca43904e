package io.sluice.agent.join;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

class ReceiversTest {
  private final Receivers receivers = new Receivers();
  private final Semaphore descriptors = new Semaphore(10);

  /** A receiver that claims to equal any other. */
  private static final class Equal {
    @Override
    public boolean equals(Object other) {
      return other instanceof Equal;
    }

    @Override
    public int hashCode() {
      return 1;
    }
  }

  private final Disk disk =
      new Disk() {
        @Override
        public int open(String path) {
          return 1;
        }

        @Override
        public long size(String path) {
          return 0;
        }

        @Override
        public void beginWriting(int descriptor) {}

        @Override
        public void sync(int descriptor) {}

        @Override
        public void close(int descriptor) {}
      };

  private WaitingSyncs syncs() {
    return new WaitingSyncs(disk, descriptors, new JoinCounts());
  }

  @Test
  void a_receiver_is_known_by_its_identity_until_it_is_removed() {
    Equal one = new Equal();
    Equal other = new Equal();
    receivers.add(one, this::syncs);
    receivers.add(other, this::syncs);

    WaitingSyncs ofOne = receivers.of(one);
    assertThat(ofOne).isNotNull().isNotSameAs(receivers.of(other));
    assertThat(receivers.of(new Equal())).isNull();
    assertThat(receivers.remove(one)).isSameAs(ofOne);
    assertThat(receivers.of(one)).isNull();
    assertThat(receivers.of(other)).isNotNull();
    assertThat(receivers.remove(one)).isNull();
  }

  @Test
  void files_of_a_receiver_that_is_collected_are_closed() {
    receivers.add(new Object(), this::withAFile);
    assertThat(receivers.files()).isOne();

    await()
        .untilAsserted(
            () -> {
              System.gc();
              receivers.add(this, this::syncs);
              assertThat(descriptors.availablePermits()).isEqualTo(10);
            });
    assertThat(receivers.files()).isZero();
  }

  @Test
  void files_of_a_collected_receiver_do_not_count_although_no_stream_follows() {
    receivers.add(new Object(), this::withAFile);

    await()
        .untilAsserted(
            () -> {
              System.gc();
              assertThat(receivers.files()).isZero();
            });
    assertThat(descriptors.availablePermits()).isEqualTo(10);
  }

  private WaitingSyncs withAFile() {
    WaitingSyncs syncs = syncs();
    syncs.logged("/t/txn.log");
    syncs.putOff(this, "/t/Data.db");
    return syncs;
  }
}
