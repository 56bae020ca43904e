package io.sluice.execute.table;

/** Thrown for a statement that the proxy cannot answer itself. The message tells the client why. */
public final class NotAnswerable extends Exception {

  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception whose message the client gets.
   *
   * @param message Cassandra's own wording where it exists
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

  static NotAnswerable tooMany(int limit, String what) {
    return new NotAnswerable(
        "Sluice answers this table itself and accepts at most "
            + limit
            + " "
            + what
            + " in a statement there");
  }
}
