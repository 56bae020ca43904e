package io.sluice.host.tree;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The files of a host. Everything that is read or written goes through here. Paths are those of the
 * host, and begin with a slash.
 */
public interface HostTree {

  /**
   * The files below a root.
   *
   * @param root {@code /}, or the folder of a copied tree. Files of a copy get the content that the
   *     kernel would show after the same write
   */
  static HostTree at(Path root) {
    return new DirectoryTree(root.toAbsolutePath().normalize());
  }

  /** The content of a file; empty if there is none. */
  Optional<String> read(String path) throws IOException;

  /** The names in a folder, sorted; none if there is no such folder. */
  List<String> list(String folder) throws IOException;

  /** The last name of what a link points to; empty if it is no link. */
  Optional<String> link(String path) throws IOException;

  /** Whether a regular file is there that has a write permission for its owner. */
  boolean writable(String path);

  /**
   * Writes a value into a file of the kernel, with one call.
   *
   * @throws IOException if the kernel refuses it
   */
  void write(String path, String value) throws IOException;

  /**
   * Writes a file of our own as a whole. When this returns it is on disk; after a crash before that
   * the old content is there, or none.
   */
  void replace(String path, String text) throws IOException;

  /** Deletes a file of our own; when this returns that is on disk. */
  void delete(String path) throws IOException;

  /**
   * Takes a lock, which ends with the process at the latest.
   *
   * @throws IOException if another process has it; the message names that process
   */
  Closeable lock(String path) throws IOException;

  /** Opens a regular file to read bytes at any place of it. */
  Bytes open(String path) throws IOException;

  /** Bytes of an open file. Not safe for several threads. */
  interface Bytes extends Closeable {

    /** Fills the buffer from that position on, as far as it goes; returns the number of bytes. */
    int read(ByteBuffer into, long position) throws IOException;
  }
}
