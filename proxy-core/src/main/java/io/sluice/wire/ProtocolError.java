package io.sluice.wire;

/**
 * A violation of the protocol by a peer, or a frame that is too large to be read. Carries the
 * stream id of the request (0 if unknown), the error code, and whether the connection has to be
 * closed.
 */
public final class ProtocolError extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final int stream;
  private final int code;
  private final boolean fatal;

  private ProtocolError(int stream, int code, boolean fatal, String message) {
    super(message, null, false, false);
    this.stream = stream;
    this.code = code;
    this.fatal = fatal;
  }

  /**
   * Creates an error after which no input can be trusted. The connection has to be closed after the
   * response.
   */
  static ProtocolError fatal(String message) {
    return new ProtocolError(0, ErrorCode.PROTOCOL_ERROR, true, message);
  }

  /** Creates an error for one malformed request. The next request may be valid. */
  public static ProtocolError of(int stream, String message) {
    return new ProtocolError(stream, ErrorCode.PROTOCOL_ERROR, false, message);
  }

  /** Creates the INVALID error for one request. */
  public static ProtocolError invalid(int stream, String message) {
    return new ProtocolError(stream, ErrorCode.INVALID, false, message);
  }

  /** Creates an error with this code for one request. */
  public static ProtocolError of(int code, int stream, String message) {
    return new ProtocolError(stream, code, false, message);
  }

  public int stream() {
    return stream;
  }

  public int code() {
    return code;
  }

  /** Whether the frame was valid, but too large to be read. */
  public boolean isTooLarge() {
    return code != ErrorCode.PROTOCOL_ERROR;
  }

  public boolean fatal() {
    return fatal;
  }
}
