package io.sluice.watch;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The table {@code sluice.learned}, which has a row for each proxy of a data centre: what the proxy
 * has learned of tables. Only that proxy writes it. A failure is an IOException whose message says
 * why and what to do. Safe for any thread.
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
  CompletionStage<List<Row>> read();

  /**
   * Writes a proxy's own row, which lasts for a day.
   *
   * @param own the proxy's address
   */
  CompletionStage<?> write(InetSocketAddress own, ByteBuffer learned);
}
