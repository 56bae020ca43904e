package io.sluice.ycsb;

import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import io.sluice.load.RowChecksum;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.SortedMap;

/** Binds writes, with a checksum if answers are checked. */
final class Writes {
  private final SharedSession shared;
  private final BindingSettings settings;
  private final Statements cql;

  Writes(SharedSession shared, BindingSettings settings, Statements cql) {
    this.shared = shared;
    this.settings = settings;
    this.cql = cql;
  }

  /** Binds a write of the given columns: INSERT and UPDATE are the same in CQL. */
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

  /** Adds the checksum. A write of a part of the row removes it. */
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
