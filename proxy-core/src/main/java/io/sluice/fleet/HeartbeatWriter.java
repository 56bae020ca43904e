package io.sluice.fleet;

import io.sluice.watch.FleetTables.FleetTable;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Writes this proxy's own row of the table of heartbeats. Several writes may be in flight at once,
 * so that a coordinator that hangs does not silence this proxy. Not safe for several threads.
 */
final class HeartbeatWriter {

  static final int MAX_IN_FLIGHT = 4;

  private final FleetTable table;
  private final UUID self;
  private final InetSocketAddress address;
  private final @Nullable UUID secret;
  private final long startNanos;
  private final long startMicros;
  private boolean serves;
  private long beat;
  private int inFlight;

  /**
   * Creates a writer that has written no heartbeat yet.
   *
   * @param self this process
   * @param address where clients reach it
   * @param secret the proof that others send with their requests, written from {@link #serves} on;
   *     null when it accepts none
   * @param start the wall clock's time at {@code now}. The times of later writes are derived from
   *     it, so that a wall clock that is set back does not hide a heartbeat
   */
  HeartbeatWriter(
      FleetTable table,
      UUID self,
      InetSocketAddress address,
      @Nullable UUID secret,
      Instant start,
      long now) {
    this.table = table;
    this.self = self;
    this.address = address;
    this.secret = secret;
    this.startNanos = now;
    this.startMicros = ChronoUnit.MICROS.between(Instant.EPOCH, start);
  }

  /** Lets the following heartbeats contain the secret, by which others send requests. */
  void serves() {
    serves = true;
  }

  /**
   * Writes the next heartbeat.
   *
   * @param text returns the text to send with a heartbeat, by its number
   * @return completes after the write; {@link #ended} must follow. Null, without a write, while too
   *     many are in flight
   */
  @Nullable CompletionStage<?> write(LongFunction<String> text, long now) {
    if (inFlight >= MAX_IN_FLIGHT) {
      return null;
    }
    beat++;
    FleetTable.Row row =
        new FleetTable.Row(self, address, beat, serves ? secret : null, text.apply(beat));
    CompletionStage<?> written = table.write(row, micros(now));
    inFlight++;
    return written;
  }

  /** Takes note of the end of a write. */
  void ended() {
    inFlight--;
  }

  /** Writes the last row, which says that this proxy leaves. */
  CompletionStage<?> leave(long now) {
    beat++;
    // One more than now, because the last write may have this timestamp.
    return table.write(FleetTable.Row.departure(self, address.getAddress(), beat), micros(now) + 1);
  }

  private long micros(long nanos) {
    return startMicros + TimeUnit.NANOSECONDS.toMicros(nanos - startNanos);
  }
}
