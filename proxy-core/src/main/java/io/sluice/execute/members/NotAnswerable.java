package io.sluice.execute.members;

/** A question about the members that the proxy cannot answer; the message tells the client why. */
public final class NotAnswerable extends Exception {

  private static final long serialVersionUID = 1L;

  NotAnswerable(String message) {
    super(message, null, false, false);
  }

  static NotAnswerable unsupported(String what) {
    return new NotAnswerable(
        "Sluice answers this system table for the proxies and does not support "
            + what
            + " there: select plain columns, * or count, with = or IN in WHERE");
  }
}
