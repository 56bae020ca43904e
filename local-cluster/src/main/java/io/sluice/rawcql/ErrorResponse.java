package io.sluice.rawcql;

import java.io.IOException;

/** Thrown when a node responds with an error. The connection stays usable. */
public final class ErrorResponse extends IOException {
  private static final long serialVersionUID = 1L;

  private final int code;

  /** Creates an exception with the text and the code of the error. */
  public ErrorResponse(String message, int code) {
    super(message + " (code " + Integer.toHexString(code) + ")");
    this.code = code;
  }

  /** Returns the code of the error. */
  public int code() {
    return code;
  }
}
