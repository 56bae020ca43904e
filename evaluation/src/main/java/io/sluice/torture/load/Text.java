package io.sluice.torture.load;

/** The statements of the clients, in the keyspace of the session. */
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
   * Whether it may be prepared. Columns that are added while a statement for all columns is
   * prepared reach drivers late, with Cassandra alone too: they misread the rows.
   */
  boolean mayBePrepared() {
    return this != SCAN_ALL && this != SCAN_ALL_WIDE;
  }

  /**
   * Whether it is a lightweight transaction or a serial read. With protocol 5 the driver leaves the
   * contentions unread that end the time-out of one, takes them for a frame, and closes.
   */
  boolean isTransaction() {
    return this == BEGIN_REGISTER || this == CHANGE_REGISTER || this == READ_REGISTER;
  }

  String cql() {
    return cql;
  }
}
