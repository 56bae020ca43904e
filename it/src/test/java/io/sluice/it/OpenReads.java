package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToDoubleFunction;

/**
 * Point reads at a fixed rate, whether or not earlier ones have returned. Each is timed from the
 * moment at which it is due.
 *
 * @param session the session that reads
 * @param read the statement, with one int as its key
 * @param rows number of keys, from 0 on
 * @param perSecond reads that begin in a second
 */
record OpenReads(CqlSession session, PreparedStatement read, int rows, int perSecond) {

  private static final int SPREAD = 31;
  private static final int LAST_READS_SECONDS = 60;

  /**
   * The times of a run, in milliseconds.
   *
   * @param p50 its median
   * @param p99 99 of 100 reads took at most this
   */
  record Times(double p50, double p99) {

    /** Returns the median over several runs. */
    static double median(List<Times> runs, ToDoubleFunction<Times> figure) {
      return runs.stream().mapToDouble(figure).sorted().toArray()[runs.size() / 2];
    }
  }

  /** Reads for this many seconds, and waits for all rows. */
  Times during(int seconds) throws InterruptedException {
    long[] nanos = new long[perSecond * seconds];
    CountDownLatch open = new CountDownLatch(nanos.length);
    AtomicInteger failed = new AtomicInteger();
    long begin = System.nanoTime();
    for (int i = 0; i < nanos.length; i++) {
      long due = begin + i * TimeUnit.SECONDS.toNanos(1) / perSecond;
      while (System.nanoTime() < due) {
        LockSupport.parkNanos(due - System.nanoTime());
      }
      int number = i;
      session
          .executeAsync(
              read.bind(i * SPREAD % rows).setConsistencyLevel(ConsistencyLevel.LOCAL_ONE))
          .whenComplete(
              (found, error) -> {
                nanos[number] = System.nanoTime() - due;
                failed.addAndGet(error == null ? 0 : 1);
                open.countDown();
              });
    }
    assertThat(open.await(LAST_READS_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(failed).as("failed reads").hasValue(0);
    Arrays.sort(nanos);
    return new Times(nanos[nanos.length / 2] / 1e6, nanos[nanos.length * 99 / 100] / 1e6);
  }
}
