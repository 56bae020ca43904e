package io.sluice.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.watch.FleetTables.FleetTable;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests the row that a proxy writes, the times of the writes, and their number in flight. */
class HeartbeatWriterTest {

  private static final UUID SELF = new UUID(0, 1);
  private static final UUID SECRET = new UUID(0, 2);
  private static final InetSocketAddress A = new InetSocketAddress("10.0.0.1", 9042);
  private static final Instant START = Instant.ofEpochSecond(1_000_000);
  private static final long NOW = TimeUnit.HOURS.toNanos(5);

  private final FakeFleetTable table = new FakeFleetTable();
  private final HeartbeatWriter writer = new HeartbeatWriter(table, SELF, A, SECRET, START, NOW);

  private boolean write(long now) {
    return writer.write(beat -> "text " + beat, now) != null;
  }

  private FleetTable.Row row() {
    return Objects.requireNonNull(table.rows.get(SELF));
  }

  @Test
  void each_heartbeat_has_the_next_number_and_its_own_text() {
    write(NOW);
    assertThat(row()).isEqualTo(new FleetTable.Row(SELF, A, 1, null, "text 1"));
    write(NOW + 1_000);
    assertThat(row()).isEqualTo(new FleetTable.Row(SELF, A, 2, null, "text 2"));
  }

  @Test
  void heartbeats_have_the_secret_as_soon_as_the_proxy_serves() {
    write(NOW);
    assertThat(row().secret()).isNull();
    writer.serves();
    write(NOW + 1_000);
    assertThat(row()).isEqualTo(new FleetTable.Row(SELF, A, 2, SECRET, "text 2"));
  }

  @Test
  void write_times_start_at_the_wall_clock_and_follow_the_monotonic_clock() {
    write(NOW + TimeUnit.SECONDS.toNanos(2));
    assertThat(table.times.get(SELF))
        .isEqualTo(TimeUnit.SECONDS.toMicros(START.getEpochSecond() + 2));
  }

  @Test
  void while_four_writes_are_in_flight_no_further_one_begins() {
    for (int i = 1; i <= 4; i++) {
      assertThat(write(NOW + i * 1_000L)).isTrue();
    }
    assertThat(write(NOW + 5_000)).isFalse();
    assertThat(row().beat()).isEqualTo(4);
    writer.ended();
    assertThat(write(NOW + 6_000)).isTrue();
    assertThat(row().beat()).as("the heartbeat that was not written has no number").isEqualTo(5);
    assertThat(write(NOW + 7_000)).isFalse();
  }

  @Test
  void a_text_that_fails_several_times_does_not_end_the_heartbeats() {
    for (int i = 0; i < 4; i++) {
      assertThatThrownBy(() -> writer.write(HeartbeatWriterTest::fail, NOW))
          .isInstanceOf(IllegalStateException.class);
    }
    assertThat(write(NOW + 1_000)).isTrue();
  }

  private static String fail(long beat) {
    throw new IllegalStateException("no text for " + beat);
  }

  @Test
  void the_last_row_has_the_next_number_and_says_that_the_proxy_leaves() {
    write(NOW);
    writer.leave(NOW + 1_000);
    assertThat(row()).isEqualTo(FleetTable.Row.departure(SELF, A.getAddress(), 2));
  }

  /** The last row may come at the time of the last heartbeat, whose write is still in flight. */
  @Test
  void a_heartbeat_that_arrives_after_the_last_row_does_not_undo_it() {
    write(NOW);
    FleetTable.Row late = row();
    long micros = Objects.requireNonNull(table.times.get(SELF));
    writer.leave(NOW);
    table.write(late, micros);
    assertThat(row().isDeparture()).isTrue();
  }
}
