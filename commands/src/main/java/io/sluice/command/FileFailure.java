package io.sluice.command;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/**
 * Says in words why an operation on files failed. The message of many of Java's exceptions is only
 * a path.
 */
public final class FileFailure {
  private FileFailure() {}

  /** Returns the reason, for a message that contains the path. */
  public static String reason(IOException failure) {
    if (failure instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (failure instanceof NoSuchFileException) {
      return "there is no such file";
    }
    if (failure instanceof FileAlreadyExistsException exists) {
      return exists.getFile() + " is not a folder";
    }
    String reason = failure instanceof FileSystemException file ? file.getReason() : null;
    return reason == null ? String.valueOf(failure.getMessage()) : reason;
  }
}
