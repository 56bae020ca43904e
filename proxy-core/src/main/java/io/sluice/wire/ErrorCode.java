package io.sluice.wire;

/** The error codes of the native protocol that the proxy reads or answers with. */
public final class ErrorCode {

  public static final int SERVER_ERROR = 0x0000;
  public static final int PROTOCOL_ERROR = 0x000A;
  public static final int BAD_CREDENTIALS = 0x0100;
  public static final int UNAVAILABLE = 0x1000;
  public static final int OVERLOADED = 0x1001;
  public static final int IS_BOOTSTRAPPING = 0x1002;
  public static final int TRUNCATE_ERROR = 0x1003;
  public static final int WRITE_TIMEOUT = 0x1100;
  public static final int READ_TIMEOUT = 0x1200;
  public static final int READ_FAILURE = 0x1300;
  public static final int UNAUTHORIZED = 0x2100;
  public static final int INVALID = 0x2200;
  public static final int UNPREPARED = 0x2500;

  private ErrorCode() {}
}
