package io.sluice.fleet;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.time.Repeated;
import io.sluice.watch.LearnedTable;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads what other proxies have learned of tables, at the start and every ten minutes, and writes
 * what this one has, once a minute at most. Nothing waits for either. Safe for any thread.
 */
public final class LearnedWatch implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LearnedWatch.class);

  private static final Duration ROUND = Duration.ofSeconds(10);

  /** Rounds between two reads; after one that failed the next round tries again. */
  static final int READ_EVERY = 60;

  /** Rounds between two writes. */
  static final int WRITE_EVERY = 6;

  /** What is told of tables. */
  public interface Learned {

    /** What this proxy has learned; null when that is nothing. */
    @Nullable ByteBuffer own();

    /**
     * What others have, and the process that had this address before; called by a thread of the
     * table, seldom.
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
  private boolean underWay;

  @GuardedBy("this")
  private boolean failing;

  private @Nullable Repeated rounds;

  /** Does nothing yet. */
  LearnedWatch(InetSocketAddress address, LearnedTable table, Learned learned) {
    this.address = address;
    this.table = table;
    this.learned = learned;
    this.untilWrite = 1;
  }

  /**
   * Begins on a thread of its own.
   *
   * @param table null without one
   * @return null where proxies do not find each other in the keyspace: then nothing is shared
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

  /** Reads or writes what is due. */
  void round() {
    boolean read;
    boolean write;
    synchronized (this) {
      if (underWay) {
        return;
      }
      read = untilRead-- <= 0;
      write = untilWrite-- <= 0 && !read;
      underWay = read;
    }
    if (read) {
      table.read().whenComplete(this::read);
    } else if (write) {
      write();
    }
  }

  private void read(@Nullable List<LearnedTable.Row> rows, @Nullable Throwable error) {
    synchronized (this) {
      underWay = false;
      untilRead = rows == null ? 0 : READ_EVERY;
    }
    done(error);
    if (rows != null) {
      learned.others(rows);
    }
  }

  /** Writes what this proxy has learned, now: it is about to end. */
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
          "What proxies learn of tables cannot be shared; this one learns by itself: {}",
          error.getMessage());
    } else if (error == null && failing) {
      LOG.info("What proxies learn of tables can be shared");
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
