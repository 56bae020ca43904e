package io.sluice.wire;

import java.util.Map;
import java.util.Set;

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
  public static final int SYNTAX_ERROR = 0x2000;
  public static final int UNAUTHORIZED = 0x2100;
  public static final int INVALID = 0x2200;
  public static final int UNPREPARED = 0x2500;

  private static final Map<Integer, String> NAMES =
      Map.ofEntries(
          Map.entry(SERVER_ERROR, "SERVER_ERROR"),
          Map.entry(PROTOCOL_ERROR, "PROTOCOL_ERROR"),
          Map.entry(BAD_CREDENTIALS, "BAD_CREDENTIALS"),
          Map.entry(UNAVAILABLE, "UNAVAILABLE"),
          Map.entry(OVERLOADED, "OVERLOADED"),
          Map.entry(IS_BOOTSTRAPPING, "IS_BOOTSTRAPPING"),
          Map.entry(TRUNCATE_ERROR, "TRUNCATE_ERROR"),
          Map.entry(WRITE_TIMEOUT, "WRITE_TIMEOUT"),
          Map.entry(READ_TIMEOUT, "READ_TIMEOUT"),
          Map.entry(READ_FAILURE, "READ_FAILURE"),
          Map.entry(0x1400, "FUNCTION_FAILURE"),
          Map.entry(0x1500, "WRITE_FAILURE"),
          Map.entry(0x1600, "CDC_WRITE_FAILURE"),
          Map.entry(0x1700, "CAS_WRITE_UNKNOWN"),
          Map.entry(SYNTAX_ERROR, "SYNTAX_ERROR"),
          Map.entry(UNAUTHORIZED, "UNAUTHORIZED"),
          Map.entry(INVALID, "INVALID"),
          Map.entry(0x2300, "CONFIG_ERROR"),
          Map.entry(0x2400, "ALREADY_EXISTS"),
          Map.entry(UNPREPARED, "UNPREPARED"));

  private ErrorCode() {}

  /** Returns all codes of the protocol's specification. */
  public static Set<Integer> all() {
    return NAMES.keySet();
  }

  /** Returns the name of a code in the protocol's specification. */
  public static String name(int code) {
    return NAMES.getOrDefault(code, "0x%04x".formatted(code));
  }
}
