package io.sluice.watch;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The tables of the keyspace {@code sluice}.
 *
 * @param proxies the table of heartbeats
 * @param learned the table of what proxies have learned of tables
 */
public record FleetTables(FleetTable proxies, LearnedTable learned) {
  /**
   * The table {@code sluice.proxies}, which has a row for each proxy of a data centre. Only that
   * proxy writes it, periodically. A failure is an IOException whose message says why and what to
   * do. Safe for any thread.
   */
  public interface FleetTable {

    /**
     * A row of the table.
     *
     * @param instance the id of a process
     * @param address the address at which clients reach the proxy
     * @param beat a number that grows with each heartbeat
     * @param secret the proof that other proxies send with their requests; null when the process
     *     accepts no such requests
     * @param demand the text about its use of limits; empty when it sends none
     */
    record Row(
        UUID instance, InetSocketAddress address, long beat, @Nullable UUID secret, String demand) {

      private static final int NO_PORT = 0;

      /** Creates a row of a process that accepts no proof and sends no text about limits. */
      public Row(UUID instance, InetSocketAddress address, long beat) {
        this(instance, address, beat, null, "");
      }

      /**
       * Returns the last row of a process that leaves: it has the port 0. Versions that do not know
       * such a row leave it out, which they take for a departure, too.
       */
      public static Row departure(UUID instance, InetAddress address, long beat) {
        return new Row(instance, new InetSocketAddress(address, NO_PORT), beat);
      }

      /** Whether this is the last row of a process that leaves. */
      public boolean isDeparture() {
        return address.getPort() == NO_PORT;
      }

      /** Returns a text without the secret. */
      @Override
      public String toString() {
        return instance + " at " + address + ", beat " + beat;
      }
    }

    /** Reads the rows of this data centre. Rows without an address are left out. */
    CompletionStage<List<FleetTable.Row>> read();

    /**
     * Writes a proxy's own row, which lasts for a minute.
     *
     * @param micros the time of the write in microseconds; of two writes of a row, the later time
     *     wins
     */
    CompletionStage<?> write(FleetTable.Row own, long micros);
  }

  /**
   * The table {@code sluice.learned}, which has a row for each proxy of a data centre: what the
   * proxy has learned of tables. Only that proxy writes it. A failure is an IOException whose
   * message says why and what to do. Safe for any thread.
   */
  public interface LearnedTable {

    /**
     * A row of the table.
     *
     * @param address the address at which clients reach the proxy that wrote the row
     * @param ageSeconds the age of the row, by the clocks of the nodes; at least 0
     * @param learned the written bytes, at position 0; readers must not change the position
     */
    record Row(InetSocketAddress address, long ageSeconds, ByteBuffer learned) {}

    /** Reads the rows of this data centre, at most {@value QuorumLearned#MAX_ROWS}. */
    CompletionStage<List<LearnedTable.Row>> read();

    /**
     * Writes a proxy's own row, which lasts for a day.
     *
     * @param own the proxy's address
     */
    CompletionStage<?> write(InetSocketAddress own, ByteBuffer learned);
  }
}
