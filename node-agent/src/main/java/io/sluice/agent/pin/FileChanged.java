package io.sluice.agent.pin;

import java.io.IOException;

/** A file is gone, or is another one than when it was listed. */
final class FileChanged extends IOException {
  private static final long serialVersionUID = 1L;

  FileChanged(IndexFile file) {
    super(file.path());
  }
}
