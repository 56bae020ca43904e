package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Scans a small table repeatedly, with three page sizes at once. */
final class Scans {

  private static final int[] PAGE_SIZES = {97, 1_000, 5_000};
  private static final int AT_ONCE = 200;

  private final CqlSession session;
  private final String keyspace;
  private final List<Integer> expected;
  private final List<String> wrong = new CopyOnWriteArrayList<>();
  private final List<String> failed = new CopyOnWriteArrayList<>();
  private final AtomicInteger whole = new AtomicInteger();

  /**
   * Creates scans of table t.
   *
   * @param expected its keys in the order of their tokens
   */
  Scans(CqlSession session, String keyspace, List<Integer> expected) {
    this.session = session;
    this.keyspace = keyspace;
    this.expected = List.copyOf(expected);
  }

  /** Creates table t with keys from 0 on. Returns the keys in the order of their tokens. */
  static List<Integer> fill(Place place, int rows) {
    place.change("CREATE TABLE IF NOT EXISTS $ks.t (k int PRIMARY KEY, v text)");
    List<CompletionStage<AsyncResultSet>> written = new ArrayList<>();
    for (int k = 0; k < rows; k++) {
      written.add(
          place
              .session()
              .executeAsync(
                  place
                      .statement("INSERT INTO $ks.t (k, v) VALUES (?, ?)", k, "row " + k)
                      .setConsistencyLevel(DefaultConsistencyLevel.ALL)));
      if (written.size() == AT_ONCE || k + 1 == rows) {
        written.forEach(each -> each.toCompletableFuture().join());
        written.clear();
      }
    }
    List<Integer> keys = new ArrayList<>();
    place
        .session()
        .execute(place.statement("SELECT k FROM $ks.t"))
        .forEach(row -> keys.add(row.getInt(0)));
    return keys;
  }

  /** Returns one scan. */
  static SimpleStatement of(String keyspace, int pageSize) {
    return SimpleStatement.newInstance("SELECT k FROM " + keyspace + ".t")
        .setPageSize(pageSize)
        .setConsistencyLevel(DefaultConsistencyLevel.ONE);
  }

  /** An event during scans. */
  interface Happening {
    void run() throws Exception;
  }

  /**
   * Scans during {@code happening}. Every scan returns all rows, once and in order, or fails.
   *
   * @return the errors of the failed scans
   */
  List<String> during(Happening happening) throws Exception {
    AtomicBoolean end = new AtomicBoolean();
    List<Thread> scanners = new ArrayList<>();
    for (int pageSize : PAGE_SIZES) {
      Thread scanner = new Thread(() -> scanUntil(end, pageSize));
      scanner.start();
      scanners.add(scanner);
    }
    try {
      happening.run();
    } finally {
      end.set(true);
      for (Thread scanner : scanners) {
        scanner.join(60_000);
      }
    }
    assertThat(wrong).as("of %d scans", whole.get()).isEmpty();
    assertThat(whole.get()).as("scans that came to their end").isPositive();
    return failed;
  }

  /** Returns the number of scans that came to their end. */
  int whole() {
    return whole.get();
  }

  /** Checks that scans failed only with errors that they could also get from a node. */
  static void requireProper(List<String> failed) {
    assertThat(failed).allMatch(each -> each.matches(".*(ReadTimeout|Unavailable)Exception.*"));
  }

  private void scanUntil(AtomicBoolean end, int pageSize) {
    while (!end.get()) {
      try {
        List<Integer> got = new ArrayList<>();
        session.execute(of(keyspace, pageSize)).forEach(row -> got.add(row.getInt(0)));
        whole.incrementAndGet();
        if (!got.equals(expected)) {
          wrong.add(got.size() + " rows by pages of " + pageSize);
        }
      } catch (RuntimeException e) {
        failed.add(e.toString());
      }
    }
  }
}
