package io.sluice.watch;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The table {@code sluice.proxies}, in which each proxy of a data centre has a row that it alone
 * writes, again and again. What fails does so with an IOException that says why and what to do.
 * Safe for any thread.
 */
public interface FleetTable {

  /**
   * A row.
   *
   * @param instance a process, by a number of its own
   * @param address the address at which clients reach it
   * @param beat a number that it makes larger with each heartbeat
   * @param secret what it takes for a proof that a request is another proxy's; null when it takes
   *     none
   * @param demand what it says of its use of limits; empty when it says nothing
   */
  record Row(
      UUID instance, InetSocketAddress address, long beat, @Nullable UUID secret, String demand) {

    /** A process that takes no proof, and says nothing. */
    public Row(UUID instance, InetSocketAddress address, long beat) {
      this(instance, address, beat, null, "");
    }

    /** Without the secret. */
    @Override
    public String toString() {
      return instance + " at " + address + ", beat " + beat;
    }
  }

  /** The rows of this data centre; those that name no address are left out. */
  CompletionStage<List<Row>> read();

  /**
   * Writes a proxy's own row, which lasts for a minute.
   *
   * @param micros the time of the write in microseconds; of two writes of one row the one with more
   *     holds
   */
  CompletionStage<?> write(Row own, long micros);

  /**
   * Deletes a proxy's own row.
   *
   * @param micros more than those of its last write
   */
  CompletionStage<?> delete(UUID instance, long micros);
}
