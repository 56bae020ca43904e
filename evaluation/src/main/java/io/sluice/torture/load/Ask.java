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
 * @param values the values of its markers
 * @param level its consistency level, serial for a serial read
 * @param timestamp the client's timestamp of a write, in microseconds; the driver's own where it is
 *     {@link Statement#NO_DEFAULT_TIMESTAMP}
 * @param pageSize rows of a page at most
 * @param page where the page begins; null: at the beginning
 */
record Ask(
    Text text,
    List<Object> values,
    ConsistencyLevel level,
    long timestamp,
    int pageSize,
    @Nullable ByteBuffer page) {
  private static final int LARGE_PAGE = 5_000;

  /** A request at QUORUM, with one large page. */
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
