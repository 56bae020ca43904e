package io.sluice.server.settings;

import org.jspecify.annotations.Nullable;

/**
 * Decides when to read a changed file: only after two checks in a row have seen the same content,
 * so that a file is not read while it is being written. Not safe for several threads.
 */
final class FileWatch {

  private ConfigurationText read;
  private @Nullable ConfigurationText seen;

  /** Starts with a content that was read. */
  FileWatch(ConfigurationText read) {
    this.read = read;
  }

  /**
   * Checks the current content. Returns true if it differs from what was read last, and has not
   * changed since the last check.
   */
  boolean shouldRead(ConfigurationText now) {
    boolean settled = seen != null && seen.isSameAs(now);
    seen = now;
    return settled && !now.isSameAs(read);
  }

  /** Records that this content was read, whether it was valid or not. */
  void markRead(ConfigurationText content) {
    read = content;
  }
}
