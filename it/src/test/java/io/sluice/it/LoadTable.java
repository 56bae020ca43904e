package io.sluice.it;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import io.netty.buffer.Unpooled;
import java.util.stream.IntStream;

/** A table of small rows, with requests to it. */
final class LoadTable {
  private static final int ROWS = 2_000;
  private static final int AT_ONCE = 50;

  private final String name;
  private final byte[] read;
  private final byte[] write;

  private LoadTable(String name, byte[] read, byte[] write) {
    this.name = name;
    this.read = read;
    this.write = write;
  }

  /** Creates and fills the table through the target. */
  static LoadTable create(Target target, String script) {
    try (CqlSession session = JavaDriver.open(target, new Wire("V4", "none"))) {
      Place place = new Place(session, target, target.keyspace(script));
      SchemaScripts.keyspace(place);
      place.change("CREATE TABLE IF NOT EXISTS $ks.load (k int PRIMARY KEY, v text)");
      PreparedStatement insert = place.prepare("INSERT INTO $ks.load (k, v) VALUES (?, ?)");
      for (int k = 0; k < ROWS; k += AT_ONCE) {
        IntStream.range(k, k + AT_ONCE)
            .mapToObj(each -> session.executeAsync(insert.bind(each, "row " + each)))
            .toList()
            .forEach(written -> written.toCompletableFuture().join());
      }
      PreparedStatement read = place.prepare("SELECT v FROM $ks.load WHERE k = ?");
      return new LoadTable(place.keyspace() + ".load", id(read), id(insert));
    }
  }

  /** Returns a read for two of three numbers, else a write; every second request is prepared. */
  Load.Ask readOrWrite(int number) {
    return number % 3 == 2 ? write(number) : read(number);
  }

  /** Returns a read of one row at ONE. */
  Load.Ask read(int number) {
    int key = number % ROWS;
    if (number % 2 == 0) {
      return ask(true, Bytes.QUERY, Bytes.query(4, "SELECT v FROM " + name + " WHERE k = " + key));
    }
    Bytes body = new Bytes().int16(read.length).bytes(read).int16(1).int8(1).int16(1);
    return ask(true, Bytes.EXECUTE, body.int32(4).int32(key).done());
  }

  /** Returns a range read at ONE. */
  Load.Ask range(int limit) {
    String cql = "SELECT k, v FROM " + name + " WHERE token(k) >= " + Long.MIN_VALUE;
    return ask(true, Bytes.QUERY, Bytes.query(4, cql + " LIMIT " + limit));
  }

  private Load.Ask write(int number) {
    int key = number % ROWS;
    if (number % 2 == 0) {
      String cql = "INSERT INTO " + name + " (k, v) VALUES (" + key + ", 'new')";
      return ask(false, Bytes.QUERY, Bytes.query(4, cql));
    }
    Bytes body = new Bytes().int16(write.length).bytes(write).int16(1).int8(1).int16(2);
    body.int32(4).int32(key).longString("newer");
    return ask(false, Bytes.EXECUTE, body.done());
  }

  private static Load.Ask ask(boolean read, int opcode, byte[] body) {
    return new Load.Ask(read, opcode, Unpooled.wrappedBuffer(body));
  }

  private static byte[] id(PreparedStatement statement) {
    byte[] id = new byte[statement.getId().remaining()];
    statement.getId().duplicate().get(id);
    return id;
  }
}
