package io.sluice.torture.load;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request of a client.
 *
 * @param text the statement
 * @param values values of its bind markers
 * @param level its consistency level; serial for a serial read
 * @param timestamp the client's timestamp of a write, in microseconds; {@link
 *     Statement#NO_DEFAULT_TIMESTAMP} to let the driver set one
 * @param pageSize most rows of a page
 * @param page paging state; null for the first page
 */
record Ask(
    Text text,
    List<Object> values,
    ConsistencyLevel level,
    long timestamp,
    int pageSize,
    @Nullable ByteBuffer page) {
  private static final int LARGE_PAGE = 5_000;

  /** Returns a request at QUORUM, with one large page. */
  static Ask of(Text text, List<Object> values) {
    return new Ask(
        text,
        values,
        DefaultConsistencyLevel.QUORUM,
        Statement.NO_DEFAULT_TIMESTAMP,
        LARGE_PAGE,
        null);
  }

  Ask at(ConsistencyLevel other) {
    return new Ask(text, values, other, timestamp, pageSize, page);
  }

  Ask stamped(long micros) {
    return new Ask(text, values, level, micros, pageSize, page);
  }

  Ask paged(int size, @Nullable ByteBuffer from) {
    return new Ask(text, values, level, timestamp, size, from);
  }

  <T extends Statement<T>> T applyTo(T statement) {
    return statement
        .setConsistencyLevel(level)
        .setQueryTimestamp(timestamp)
        .setPageSize(pageSize)
        .setPagingState(page);
  }
}
