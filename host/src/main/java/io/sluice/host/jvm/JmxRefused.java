package io.sluice.host.jvm;

import java.io.IOException;

/** A refusal that time does not change: of a login, or of this Java runtime. */
public final class JmxRefused extends IOException {
  private static final long serialVersionUID = 1L;

  /** Creates a refusal with a message for the user. */
  public JmxRefused(String message) {
    super(message);
  }

  /** Creates a refusal with a message for the user and the exception that it explains. */
  public JmxRefused(String message, Throwable cause) {
    super(message, cause);
  }
}
