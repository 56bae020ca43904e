package io.sluice.agent.join;

import java.io.IOException;

/** Thrown when written bytes could not be made durable. */
public final class SyncFailed extends IOException {
  private static final long serialVersionUID = 1L;

  private final String path;

  SyncFailed(String path, Throwable cause) {
    super(path + " could not be synced: " + cause.getMessage(), cause);
    this.path = path;
  }

  /** The file or folder. */
  public String path() {
    return path;
  }
}
