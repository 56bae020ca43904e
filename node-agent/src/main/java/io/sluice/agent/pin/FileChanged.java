package io.sluice.agent.pin;

import java.io.IOException;

/** Thrown when a file is gone, or is not the listed one any more. */
final class FileChanged extends IOException {
  private static final long serialVersionUID = 1L;

  FileChanged(IndexFile file) {
    super(file.path());
  }
}
