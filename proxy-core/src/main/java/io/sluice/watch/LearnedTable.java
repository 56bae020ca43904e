package io.sluice.watch;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The table {@code sluice.learned}, in which each proxy of a data centre has a row that it alone
 * writes: what it has learned of tables. What fails does so with an IOException that says why and
 * what to do. Safe for any thread.
 */
public interface LearnedTable {

  /**
   * A row.
   *
   * @param address the proxy that wrote it, by the address at which clients reach it
   * @param ageSeconds how long ago, by the clocks of the nodes; at least 0
   * @param learned what it wrote; its position is 0, and is not to be changed
   */
  record Row(InetSocketAddress address, long ageSeconds, ByteBuffer learned) {}

  /** The rows of this data centre, {@value QuorumLearned#MOST_ROWS} at most. */
  CompletionStage<List<Row>> read();

  /**
   * Writes a proxy's own row, which lasts for a day.
   *
   * @param own the proxy's address
   */
  CompletionStage<?> write(InetSocketAddress own, ByteBuffer learned);
}
