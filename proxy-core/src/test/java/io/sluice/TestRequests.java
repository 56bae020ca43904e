package io.sluice;

import io.sluice.wire.ColumnType;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.Frame;
import io.sluice.wire.RowSet;
import java.nio.ByteBuffer;
import java.util.List;

/** Requests for {@code ks.t}, and the rows that nodes return for them. */
final class TestRequests {

  private TestRequests() {}

  static Frame query(String cql) {
    return CqlCodec.query(4, cql);
  }

  static Frame read() {
    return query("SELECT v FROM ks.t WHERE k = 1");
  }

  static Frame write() {
    return query("INSERT INTO ks.t (k, v) VALUES (1, 2)");
  }

  static Frame rows() {
    RowSet.Column column = new RowSet.Column("ks", "t", "v", ColumnType.INT);
    return CqlCodec.rows(
        4, new RowSet(List.of(column), List.of(List.of(ByteBuffer.wrap(new byte[4])))));
  }
}
