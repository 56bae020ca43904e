package io.sluice.decide.predict;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.decide.plan.Density;
import io.sluice.decide.plan.ResultRows.Kind;
import io.sluice.ring.TokenRange;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The distribution of one statement's rows over the ring. All statements that return the same rows
 * of a table share one instance. Safe for any thread; holds a lock for about a microsecond.
 *
 * <p>Answers take precedence: those of this proxy, or before it has any, those of other proxies.
 * Without answers, a table is assumed to have as many rows as the nodes have counted partitions,
 * and a statement to return all the rows, or partitions, of its table.
 */
public final class TableDensity implements Density {

  /**
   * The origin of an estimate at one moment. Immutable.
   *
   * @param source the source
   * @param ageNanos time since its last change, in ns; 0 for {@link Source#NONE}
   * @param sigma standard deviation of recent actual / estimated rows, 0 to 1; 0 when unknown
   */
  public record Origin(Source source, long ageNanos, double sigma) {

    static final Origin UNKNOWN = new Origin(Source.NONE, 0, 0);
  }

  /** The source of an estimate. */
  public enum Source {
    /** Nothing is known. */
    NONE,
    /** Nodes have counted the partitions on their disks. */
    NODES,
    /** Other proxies have learned it from answers to reads. */
    PROXIES,
    /** This proxy has learned it from answers to reads. */
    ANSWERS
  }

  /** Assumed bytes of a small row if only partitions were counted. */
  private static final double SMALL_ROW_BYTES = 64;

  /** Rows of an answer that weigh as much as all earlier answers. */
  private static final double BYTES_MEMORY_ROWS = 1_000;

  private final Kind returned;
  private final @Nullable TableDensity table;
  private final boolean rowsArePartitions;
  private final Supplier<PublishedPartitions> published;
  private final Learning learning;

  @GuardedBy("this")
  private @Nullable LearnedRows learned;

  @GuardedBy("this")
  private long learnedNanos;

  /** Whether only other proxies have seen answers. */
  @GuardedBy("this")
  private boolean adopted;

  @GuardedBy("this")
  private final ErrorSpread errors = new ErrorSpread();

  @GuardedBy("this")
  private double bytesPerRow;

  @GuardedBy("this")
  private final LargeRows large = LargeRows.none();

  /**
   * Creates a density that knows only the nodes' counts.
   *
   * @param returned which rows of the table it is about
   * @param table the density of all rows of the table; null if this is it
   * @param rowsArePartitions whether the table has one row per partition
   * @param published the nodes' counts for the table
   */
  TableDensity(
      Kind returned,
      @Nullable TableDensity table,
      boolean rowsArePartitions,
      Supplier<PublishedPartitions> published,
      Learning learning) {
    this.returned = returned;
    this.table = table;
    this.rowsArePartitions = rowsArePartitions;
    this.published = published;
    this.learning = learning;
  }

  @Override
  public boolean known() {
    return hasLearned() || (table == null ? published.get().known() : table.known());
  }

  private synchronized boolean hasLearned() {
    return learned != null;
  }

  /** {@inheritDoc} The rows of neighbouring ranges add up, except for rounding. */
  @Override
  public double rows(TokenRange range) {
    synchronized (this) {
      LearnedRows now = adjusted();
      if (now != null) {
        return now.rows(range);
      }
    }
    if (table == null) {
      return published.get().in(range);
    }
    return returned == Kind.ONE_A_PARTITION ? table.partitions(range) : table.rows(range);
  }

  /**
   * Returns what was learned, adjusted to the counts of the nodes. Forgets it when a table has been
   * loaded since: its size is then that of the counts. Rows that a statement selects can be far
   * fewer than partitions.
   */
  @GuardedBy("this")
  private @Nullable LearnedRows adjusted() {
    LearnedRows now = learned;
    if (now != null && table == null && now.isOutgrown(published.get())) {
      learned = null;
      adopted = false;
      now = null;
    } else if (now != null) {
      now.follow(published.get());
    }
    return now;
  }

  /**
   * Estimates the rows of the table that a node reads in {@code range} to find {@code wanted} of
   * the statement's rows. If the statement has fewer rows there, the node reads all. Only when
   * {@link #known}.
   */
  public double read(TokenRange range, double wanted) {
    double found = rows(range);
    if (table == null || !table.known()) {
      return Math.min(wanted, found);
    }
    double all = table.rows(range);
    return returned != Kind.AGGREGATE && found > wanted ? all * wanted / found : all;
  }

  /**
   * {@inheritDoc} While nothing is known, the table is assumed to be as large as others turned out
   * to be that were not known either.
   */
  @Override
  public double expected(TokenRange range, double wanted) {
    if (known()) {
      return Density.super.expected(range, wanted);
    }
    double usual = learning.newTables().rows(RingBuckets.share(range));
    return usual < wanted ? usual : wanted;
  }

  /** {@inheritDoc} If only partitions were counted, as many small rows as fit into these. */
  @Override
  public double rowsRead(TokenRange range) {
    if (table != null) {
      return table.known() ? table.rowsRead(range) : Double.POSITIVE_INFINITY;
    } else if (rowsArePartitions || hasLearned()) {
      return rows(range);
    }
    PublishedPartitions counted = published.get();
    return counted.in(range) * Math.max(1, counted.meanBytes() / SMALL_ROW_BYTES);
  }

  /** {@inheritDoc} Without counts of the nodes, the number of rows, which is an upper bound. */
  @Override
  public double partitions(TokenRange range) {
    if (table != null) {
      return table.known() ? table.partitions(range) : rows(range);
    }
    PublishedPartitions counted = published.get();
    boolean counts = counted.known() && !(rowsArePartitions && hasLearned());
    return counts ? counted.in(range) : rows(range);
  }

  /**
   * Returns the standard deviation of recent actual / estimated rows, of estimates that came from
   * answers: 0 to 1, and 0 when unknown.
   */
  public synchronized double sigma() {
    return errors.sigma();
  }

  /**
   * Returns the source of the estimates and its age; those of the table's estimates if these rows
   * have none.
   */
  public Origin origin() {
    long now = learning.clock().nanoTime();
    synchronized (this) {
      if (learned != null) {
        Source source = adopted ? Source.PROXIES : Source.ANSWERS;
        return new Origin(source, now - learnedNanos, errors.sigma());
      }
    }
    if (table != null) {
      return table.origin();
    }
    PublishedPartitions counted = published.get();
    return counted.known()
        ? new Origin(Source.NODES, now - counted.publishedNanos(), 0)
        : Origin.UNKNOWN;
  }

  /**
   * Returns the mean size of a row in an answer, in bytes. Before any answer it is the mean size of
   * a partition on disk, as the nodes have counted; 0 when neither is known.
   */
  public double bytesPerRow() {
    synchronized (this) {
      if (bytesPerRow > 0) {
        return bytesPerRow;
      }
    }
    return table == null ? published.get().meanBytes() : table.bytesPerRow();
  }

  /**
   * Returns the size of a row where rows are large, in bytes, by recent answers. Before any answer
   * it is the mean size of a partition on disk; 0 when neither is known.
   */
  public double largeRowBytes() {
    synchronized (this) {
      if (large.known()) {
        return large.bytes();
      }
    }
    return table == null ? published.get().meanBytes() : table.largeRowBytes();
  }

  /**
   * Learns from an answer that exactly {@code rows} rows of the statement's result are in {@code
   * covered}: a whole piece that was read to its end, or its beginning up to the last row's token.
   * Aggregates teach nothing, as their rows are not the table's.
   *
   * @param rows at least 0
   * @param bytes size of these rows in the answer, at least 0
   */
  public void learn(TokenRange covered, long rows, long bytes) {
    if (rows < 0 || bytes < 0) {
      throw new IllegalArgumentException(rows + " rows of " + bytes + " bytes");
    } else if (returned == Kind.AGGREGATE || covered.isEmpty()) {
      return;
    }
    double estimated = known() ? rows(covered) : Double.NaN;
    if (take(covered, rows, bytes, estimated)) {
      learning.observer().learned(estimated, rows);
    }
  }

  /** Takes over a summary from another proxy, unless this proxy has seen answers itself. */
  synchronized void adopt(DensitySummary summary) {
    if (learned != null && !adopted) {
      return;
    }
    learned = LearnedRows.of(summary);
    learnedNanos = learning.clock().nanoTime() - TimeUnit.SECONDS.toNanos(summary.ageSeconds());
    adopted = true;
    bytesPerRow = summary.totals().bytesPerRow();
    large.adopt(summary.totals().largeRowBytes());
  }

  /** Returns a summary of what answers have shown, for other proxies; null if there were none. */
  synchronized @Nullable DensitySummary summary() {
    LearnedRows known = learned;
    if (known == null) {
      return null;
    }
    long age = Math.max(0, learning.clock().nanoTime() - learnedNanos);
    return known.summary(bytesPerRow, large.bytes(), TimeUnit.NANOSECONDS.toSeconds(age));
  }

  private synchronized boolean take(TokenRange covered, long rows, long bytes, double estimated) {
    LearnedRows before = adjusted();
    LearnedRows into = before == null ? new LearnedRows() : before;
    if (before == null) {
      into.follow(published.get());
    }
    if (!into.learn(covered, rows)) {
      return false;
    }
    learned = into;
    adopted = false;
    learnedNanos = learning.clock().nanoTime();
    if (before != null) {
      errors.seen(estimated, rows);
    } else if (table == null && Double.isNaN(estimated) && RingBuckets.share(covered) > 0) {
      learning.newTables().learn((double) rows, RingBuckets.share(covered));
    }
    large.seen(rows, bytes);
    if (rows > 0) {
      double weight = bytesPerRow > 0 ? (double) rows / ((double) rows + BYTES_MEMORY_ROWS) : 1;
      bytesPerRow += ((double) bytes / rows - bytesPerRow) * weight;
    }
    return true;
  }

  /**
   * The size of rows where they are large: the mean size in the answer with the largest rows, which
   * decays with each answer of smaller ones. A mean of all rows would hide partitions whose rows
   * are a hundred times larger. Not safe for several threads.
   */
  public static final class LargeRows {

    /**
     * Decay per answer. A size is forgotten within about fifty answers, so that one huge row does
     * not keep reads small.
     */
    private static final double FADE = 1.0 / 8;

    private double bytes;

    private LargeRows() {}

    /** Creates an instance without answers. */
    public static LargeRows none() {
      return new LargeRows();
    }

    /** Adds an answer. An answer without rows changes nothing. */
    public void seen(long answerRows, long answerBytes) {
      if (answerRows > 0) {
        double mean = (double) answerBytes / answerRows;
        bytes = mean > bytes ? mean : bytes + FADE * (mean - bytes);
      }
    }

    /** Adds a size from another proxy. */
    void adopt(double size) {
      bytes = Math.max(bytes, size);
    }

    /** Whether any rows were seen. */
    public boolean known() {
      return bytes > 0;
    }

    /** Returns the bytes of a row; 0 before any rows were seen. */
    public double bytes() {
      return bytes;
    }
  }
}
