package io.sluice.ycsb;

import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import io.sluice.load.RowChecksum;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.SortedMap;

/** Binds writes, with a checksum where answers are checked. */
final class Writes {
  private final SharedSession shared;
  private final BindingSettings settings;
  private final Statements cql;

  Writes(SharedSession shared, BindingSettings settings, Statements cql) {
    this.shared = shared;
    this.settings = settings;
    this.cql = cql;
  }

  /** CQL's INSERT and UPDATE are one: both write the columns named. */
  BoundStatement write(String table, String key, SortedMap<String, ByteBuffer> columns) {
    BoundStatement write = shared.prepare(cql.write(table, columns.keySet())).bind(key);
    for (Map.Entry<String, ByteBuffer> column : columns.entrySet()) {
      write = write.setBytesUnsafe(column.getKey(), column.getValue());
    }
    return asWrite(settings.verify() ? withChecksum(write, key, columns) : write);
  }

  BoundStatement delete(String table, String key) {
    PreparedStatement delete = shared.prepare(cql.delete(table));
    return asWrite(delete.bind(key));
  }

  /** A part of a row leaves the row without a checksum. */
  private BoundStatement withChecksum(
      BoundStatement write, String key, SortedMap<String, ByteBuffer> columns) {
    return columns.keySet().containsAll(cql.allFields())
        ? write.setLong(Statements.CHECKSUM, RowChecksum.of(SharedSession.bytes(key), columns))
        : write.setToNull(Statements.CHECKSUM);
  }

  private BoundStatement asWrite(BoundStatement write) {
    return write.setConsistencyLevel(settings.writes()).setTracing(settings.tracing());
  }
}
