package io.sluice.wire;

/**
 * A violation of the protocol by a peer. Carries what an answer needs: the stream it came on (0 if
 * unknown), the error code, and whether the connection can go on.
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

  /** Nothing after this can be trusted: the connection has to close after the answer. */
  static ProtocolError fatal(String message) {
    return new ProtocolError(0, ErrorCode.PROTOCOL_ERROR, true, message);
  }

  /** One request is broken; the next one may be sound. */
  public static ProtocolError of(int stream, String message) {
    return new ProtocolError(stream, ErrorCode.PROTOCOL_ERROR, false, message);
  }

  /** One request is refused for what it asks. */
  public static ProtocolError invalid(int stream, String message) {
    return new ProtocolError(stream, ErrorCode.INVALID, false, message);
  }

  /** One request is refused with an error of this code. */
  public static ProtocolError of(int code, int stream, String message) {
    return new ProtocolError(stream, code, false, message);
  }

  public int stream() {
    return stream;
  }

  public int code() {
    return code;
  }

  public boolean fatal() {
    return fatal;
  }
}
