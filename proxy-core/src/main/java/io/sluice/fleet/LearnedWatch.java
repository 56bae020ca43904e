package io.sluice.fleet;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.time.Repeated;
import io.sluice.watch.FleetTables.LearnedTable;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shares what proxies learn of tables. Reads what other proxies have learned at the start and every
 * ten minutes. Writes what this proxy has learned at most once a minute. Nothing waits for these
 * reads and writes. Safe for any thread.
 */
public final class LearnedWatch implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LearnedWatch.class);

  private static final Duration ROUND = Duration.ofSeconds(10);

  /** Rounds between two reads. After a failed read the next round tries again. */
  static final int READ_EVERY = 60;

  /** Rounds between two writes. */
  static final int WRITE_EVERY = 6;

  /** The source and the receiver of what proxies learn of tables. */
  public interface Learned {

    /** Returns what this proxy has learned; null when it has learned nothing. */
    @Nullable ByteBuffer own();

    /**
     * Receives what other proxies have learned, and the process that had this address before.
     * Rarely called, by a thread of the table.
     */
    void others(List<LearnedTable.Row> rows);
  }

  private final InetSocketAddress address;
  private final LearnedTable table;
  private final Learned learned;

  @GuardedBy("this")
  private int untilRead;

  @GuardedBy("this")
  private int untilWrite;

  @GuardedBy("this")
  private boolean readInFlight;

  @GuardedBy("this")
  private boolean failing;

  private @Nullable Repeated rounds;

  /** Creates a watch. {@link #begin} starts its rounds. */
  LearnedWatch(InetSocketAddress address, LearnedTable table, Learned learned) {
    this.address = address;
    this.table = table;
    this.learned = learned;
    this.untilWrite = 1;
  }

  /**
   * Starts a watch on its own thread.
   *
   * @param table the table of what is learned; null when there is none
   * @return null when proxies do not find each other through the keyspace; nothing is shared then
   */
  public static @Nullable LearnedWatch begin(
      FleetConfig config, @Nullable LearnedTable table, Learned learned) {
    InetSocketAddress self = config.advertise();
    if (!config.keyspace() || table == null || self == null) {
      return null;
    }
    LearnedWatch watch = new LearnedWatch(self, table, learned);
    watch.rounds = Repeated.begin("learned", Duration.ZERO, ROUND, watch::round);
    return watch;
  }

  /** Performs a read or a write when one is due. */
  void round() {
    boolean read;
    boolean write;
    synchronized (this) {
      if (readInFlight) {
        return;
      }
      read = untilRead-- <= 0;
      write = untilWrite-- <= 0 && !read;
      readInFlight = read;
    }
    if (read) {
      table.read().whenComplete(this::read);
    } else if (write) {
      write();
    }
  }

  private void read(@Nullable List<LearnedTable.Row> rows, @Nullable Throwable error) {
    synchronized (this) {
      readInFlight = false;
      untilRead = rows == null ? 0 : READ_EVERY;
    }
    done(error);
    if (rows != null) {
      learned.others(rows);
    }
  }

  /** Writes what this proxy has learned, at once. Also called when the proxy shuts down. */
  public void write() {
    ByteBuffer own = learned.own();
    if (own != null) {
      CompletionStage<?> written = table.write(address, own);
      written.whenComplete((done, error) -> done(error));
    }
    synchronized (this) {
      untilWrite = own == null ? 0 : WRITE_EVERY;
    }
  }

  private synchronized void done(@Nullable Throwable error) {
    if (error != null && !failing) {
      LOG.warn(
          "What proxies learn of tables cannot be shared; this proxy learns by itself: {}",
          error.getMessage());
    } else if (error == null && failing) {
      LOG.info("What proxies learn of tables can be shared again");
    }
    failing = error != null;
  }

  @Override
  public void close() {
    Repeated begun = rounds;
    if (begun != null) {
      begun.close();
    }
  }
}
