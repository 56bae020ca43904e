package io.sluice.host.tree;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Access to all files of a host. Paths are those of the host, and begin with a slash. */
public interface HostTree {

  /**
   * Returns the files below a root.
   *
   * @param root {@code /}, or the folder of a copied tree. After a write, a file of a copy has the
   *     content that the kernel would show
   */
  static HostTree at(Path root) {
    return new DirectoryTree(root.toAbsolutePath().normalize());
  }

  /** Returns the content of a file; empty if it does not exist. */
  Optional<String> read(String path) throws IOException;

  /** Returns the names in a folder, sorted; empty if the folder does not exist. */
  List<String> list(String folder) throws IOException;

  /** Whether the path is a regular file with write permission for its owner. */
  boolean writable(String path);

  /**
   * Writes a value to a file of the kernel, with one call.
   *
   * @throws IOException if the kernel refuses the value
   */
  void write(String path, String value) throws IOException;

  /**
   * Checks a folder of our own and the files in it, before they are read. Does nothing if it does
   * not exist.
   *
   * @throws IOException if another user than that of this process may have written to them
   */
  void checkOwn(String folder) throws IOException;

  /**
   * Replaces a whole file of our own. When this returns, the file is on disk. After a crash before
   * that, the file has the old content, or does not exist.
   */
  void replace(String path, String text) throws IOException;

  /** Deletes a file of our own. When this returns, the deletion is on disk. */
  void delete(String path) throws IOException;

  /**
   * Takes a lock in a folder of our own, which ends with the process at the latest.
   *
   * @throws IOException if another process holds it; the message names that process. Also if
   *     another user may have written to the folder
   */
  Closeable lock(String path) throws IOException;

  /** Opens a regular file for reads at any position. */
  Bytes open(String path) throws IOException;

  /** An open file. Not safe for several threads. */
  interface Bytes extends Closeable {

    /** Fills the buffer from that position on, as far as possible. Returns the number of bytes. */
    int read(ByteBuffer into, long position) throws IOException;
  }
}
