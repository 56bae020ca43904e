package io.sluice.decide.predict;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.sluice.decide.plan.ResultRows;
import io.sluice.decide.plan.ResultRows.Kind;
import io.sluice.decide.plan.ScatterPlanner;
import io.sluice.decide.plan.Splittable;
import io.sluice.decide.predict.TableDensity.Origin;
import io.sluice.decide.predict.TableDensity.Source;
import io.sluice.ring.Estimates;
import io.sluice.ring.Table;
import io.sluice.ring.TableName;
import io.sluice.time.NanoClock;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The densities of all tables, as published by nodes and learned from answers. Safe for any thread.
 *
 * <p>Memory is bounded: the most recently used tables and statements are kept, as many as fit into
 * {@value #MAX_BYTES} bytes. Each takes four kilobytes and its text.
 */
public final class Densities {

  /** Limit on the bytes: enough for more than ten thousand tables and short statements. */
  static final long MAX_BYTES = 64L << 20;

  static final int DENSITY_BYTES = 4_800;

  private static final ResultRows EVERY_ROW = new ResultRows(Kind.EVERY, "");

  private final NanoClock clock;
  private final Learning learning;
  private final Cache<Key, TableDensity> densities =
      Caffeine.newBuilder()
          .maximumWeight(MAX_BYTES)
          .weigher((Key key, TableDensity density) -> DENSITY_BYTES + key.bytes())
          .executor(Runnable::run)
          .build();
  private final Map<TableName, PublishedPartitions> published = new ConcurrentHashMap<>();

  /** The densities from other proxies, also for tables that have not been read here yet. */
  private volatile Map<Key, DensitySummary> fromProxies = Map.of();

  /** Observes what is learned. Called by the thread that learns; must be safe for any thread. */
  public interface Observer {

    /**
     * Reports that the rows of a range became known.
     *
     * @param estimated the estimate before, at least 0; NaN without one
     * @param actual the number of rows
     */
    void learned(double estimated, long actual);
  }

  /**
   * The densities that another proxy has learned.
   *
   * @param ageSeconds time since they were written, at least 0
   * @param learned its {@link #learned}
   */
  public record Received(long ageSeconds, ByteBuffer learned) {}

  private record Key(TableName table, ResultRows rows) {

    /** Returns the key of an entry from another proxy. */
    static Key of(LearnedFormat.Entry entry) {
      return new Key(
          entry.table(), entry.kind() == Kind.EVERY ? EVERY_ROW : new ResultRows(entry.kind(), ""));
    }

    int bytes() {
      return 2 * (table.keyspace().length() + table.name().length() + rows.text().length());
    }
  }

  /** Creates an empty instance without an observer. */
  public Densities() {
    this((estimated, actual) -> {});
  }

  /** Creates an empty instance that reports to {@code observer}. */
  public Densities(Observer observer) {
    this(observer, () -> 0);
  }

  /**
   * Creates an empty instance that reports to {@code observer}.
   *
   * @param clock measures the age of the densities
   */
  public Densities(Observer observer, NanoClock clock) {
    this.clock = clock;
    this.learning = new Learning(observer, clock, new NewTables());
  }

  /** Takes over new estimates that the nodes have published. */
  public void published(Estimates news) {
    long now = clock.nanoTime();
    news.tables()
        .forEach(
            (table, counted) -> {
              if (counted.isEmpty()) {
                published.remove(table);
              } else {
                published.put(table, new PublishedPartitions(counted, now));
              }
            });
  }

  /**
   * Returns the density of the rows that a statement returns, which may be fewer than the table's
   * with a filter, DISTINCT or PER PARTITION LIMIT. Worth calling once per statement.
   *
   * @param split the result of {@link ScatterPlanner#splittable} for the statement
   */
  public TableDensity of(Table table, Splittable split) {
    TableName name = new TableName(table.keyspace(), table.name());
    TableDensity all =
        densities.get(
            new Key(name, EVERY_ROW),
            key ->
                made(
                    key,
                    new TableDensity(
                        Kind.EVERY, null, table.clustering().isEmpty(), of(name), learning)));
    ResultRows rows = split.rows();
    return rows.kind() == Kind.EVERY
        ? all
        : densities.get(
            new Key(name, rows),
            key -> made(key, new TableDensity(rows.kind(), all, false, of(name), learning)));
  }

  private TableDensity made(Key key, TableDensity density) {
    DensitySummary known = fromProxies.get(key);
    if (known != null) {
      density.adopt(known);
    }
    return density;
  }

  /**
   * Returns the densities learned from answers, here or earlier by other proxies, of the most
   * recently read tables: for other proxies, {@value LearnedFormat#MAX_BYTES} bytes at most.
   * Densities of filtered rows are left out, because the text of a filter may contain clients'
   * values. Null when nothing is known.
   */
  public @Nullable ByteBuffer learned() {
    List<LearnedFormat.Entry> entries = new ArrayList<>();
    densities
        .asMap()
        .forEach(
            (key, density) -> {
              DensitySummary summary =
                  key.rows().text().isEmpty() && key.rows().kind() != Kind.AGGREGATE
                      ? density.summary()
                      : null;
              if (summary != null) {
                entries.add(new LearnedFormat.Entry(key.table(), key.rows().kind(), summary));
              }
            });
    entries.sort(Comparator.comparingLong(each -> each.density().ageSeconds()));
    return entries.isEmpty() ? null : LearnedFormat.write(entries);
  }

  /**
   * Takes over the densities from other proxies, for tables of which this proxy has no answers yet.
   */
  public void adopt(List<Received> others) {
    List<LearnedFormat.Entry> entries = new ArrayList<>();
    for (Received other : others) {
      for (LearnedFormat.Entry each : LearnedFormat.read(other.learned())) {
        DensitySummary then = each.density().older(other.ageSeconds());
        if (then.isKnown()) {
          entries.add(new LearnedFormat.Entry(each.table(), each.kind(), then));
        }
      }
    }
    entries.sort(Comparator.comparingLong(each -> each.density().ageSeconds()));
    Map<Key, DensitySummary> merged = new HashMap<>();
    entries.forEach(
        each -> merged.merge(Key.of(each), each.density(), (young, old) -> young.over(old)));
    fromProxies = Map.copyOf(merged);
    merged.forEach(
        (key, summary) -> {
          TableDensity density = densities.getIfPresent(key);
          if (density != null) {
            density.adopt(summary);
          }
        });
  }

  /**
   * The knowledge about all rows of a table.
   *
   * @param origin the origin of the estimates of its rows
   * @param ranges number of ranges that nodes have counted; 0 when none
   * @param partitions partitions that they have counted in all
   * @param meanPartitionBytes mean size of a partition, in bytes; 0 when unknown
   */
  public record KnownDensity(
      TableName table, Origin origin, int ranges, double partitions, double meanPartitionBytes) {}

  /** Returns the knowledge about all tables that were scanned. */
  public List<KnownDensity> known() {
    Map<TableName, KnownDensity> all = new HashMap<>();
    published.forEach((table, counted) -> all.put(table, known(table, counted, null)));
    densities
        .asMap()
        .forEach(
            (key, density) -> {
              if (key.rows().equals(EVERY_ROW) && density.known()) {
                PublishedPartitions counted = of(key.table()).get();
                all.put(key.table(), known(key.table(), counted, density.origin()));
              }
            });
    return List.copyOf(all.values());
  }

  private KnownDensity known(
      TableName table, PublishedPartitions counted, @Nullable Origin learned) {
    Origin counts =
        new Origin(Source.NODES, clock.nanoTime() - counted.publishedNanos(), /* sigma= */ 0);
    return new KnownDensity(
        table,
        learned == null ? counts : learned,
        counted.ranges(),
        counted.total(),
        counted.meanBytes());
  }

  /** Returns about how many densities are kept. */
  long size() {
    return densities.estimatedSize();
  }

  /** Returns about how many bytes the densities take. */
  long bytes() {
    return densities.policy().eviction().orElseThrow().weightedSize().orElse(0);
  }

  private Supplier<PublishedPartitions> of(TableName table) {
    return () -> published.getOrDefault(table, PublishedPartitions.NONE);
  }
}
