package io.sluice.execute.table;

/** A statement that the proxy cannot answer itself; the message tells the client why. */
public final class NotAnswerable extends Exception {

  private static final long serialVersionUID = 1L;

  /**
   * An error that the client is told.
   *
   * @param message in the words of Cassandra where it has some
   */
  public NotAnswerable(String message) {
    super(message, null, false, false);
  }

  static NotAnswerable unsupported(String what) {
    return new NotAnswerable(
        "Sluice answers this table itself and does not support "
            + what
            + " there: select plain columns, * or count, and compare columns with =, IN, <, >, <=,"
            + " >= or BETWEEN");
  }
}
