package io.sluice.server;

import org.jspecify.annotations.Nullable;

/**
 * Decides when a file that has changed is to be read: not before two looks in a row have found the
 * same, so that a file which is being written is left alone. Not safe for several threads.
 */
final class FileWatch {

  private ConfigurationText read;
  private @Nullable ConfigurationText seen;

  /** Begins with a content that was read. */
  FileWatch(ConfigurationText read) {
    this.read = read;
  }

  /** Looks at the content of now; true when it is another one than was read, and settled. */
  boolean isToBeRead(ConfigurationText now) {
    boolean settled = seen != null && seen.isSameAs(now);
    seen = now;
    return settled && !now.isSameAs(read);
  }

  /** This content was read, whatever came of it. */
  void wasRead(ConfigurationText content) {
    read = content;
  }
}
