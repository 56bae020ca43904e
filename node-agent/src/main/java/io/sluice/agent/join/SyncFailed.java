package io.sluice.agent.join;

import java.io.IOException;

/** Thrown when a file or folder could not be synced. */
public final class SyncFailed extends IOException {
  private static final long serialVersionUID = 1L;

  private final String path;

  SyncFailed(String path, Throwable cause) {
    super(path + " could not be synced: " + cause.getMessage(), cause);
    this.path = path;
  }

  /** Returns the path of the file or folder. */
  public String path() {
    return path;
  }
}
