package io.sluice.torture.load;

/** A statement of the clients, in the keyspace of the session. */
enum Text {
  PUT("INSERT INTO narrow (k, v) VALUES (?, ?)"),
  REMOVE("DELETE FROM narrow WHERE k = ?"),
  GET("SELECT v FROM narrow WHERE k = ?"),
  SCAN("SELECT k, v FROM narrow"),
  SCAN_ALL("SELECT * FROM narrow"),
  PUT_WIDE("INSERT INTO wide (p, c, v) VALUES (?, ?, ?)"),
  REMOVE_WIDE("DELETE FROM wide WHERE p = ? AND c = ?"),
  GET_WIDE("SELECT v FROM wide WHERE p = ? AND c = ?"),
  SCAN_WIDE("SELECT p, c, v FROM wide"),
  SCAN_ALL_WIDE("SELECT * FROM wide"),
  BEGIN_REGISTER("INSERT INTO registers (k, v) VALUES (?, ?) IF NOT EXISTS"),
  CHANGE_REGISTER("UPDATE registers SET v = ? WHERE k = ? IF v = ?"),
  READ_REGISTER("SELECT v FROM registers WHERE k = ?"),
  INCREMENT("UPDATE counters SET v = v + ? WHERE k = ?"),
  READ_COUNTER("SELECT v FROM counters WHERE k = ?"),
  APPEND("UPDATE lists SET v = v + ? WHERE k = ?"),
  READ_LIST("SELECT v FROM lists WHERE k = ?");

  private final String cql;

  Text(String cql) {
    this.cql = cql;
  }

  /**
   * Whether the statement may be prepared. When a column is added while a statement for all columns
   * is prepared, drivers learn of it late and misread rows, with Cassandra alone too.
   */
  boolean mayBePrepared() {
    return this != SCAN_ALL && this != SCAN_ALL_WIDE;
  }

  /**
   * Whether this is a lightweight transaction or a serial read. With protocol 5, the driver does
   * not read the field "contentions" in the timeout of a transaction. It takes the field for a
   * frame, and closes the connection.
   */
  boolean isTransaction() {
    return this == BEGIN_REGISTER || this == CHANGE_REGISTER || this == READ_REGISTER;
  }

  boolean isRead() {
    return cql.startsWith("SELECT");
  }

  String cql() {
    return cql;
  }
}
