package io.sluice.host.tree;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * A folder that one user alone can write to. What is read there decides what is written as root.
 *
 * @param path the folder
 * @param user its only user
 */
record OwnFolder(Path path, String user) {
  /** The permissions of a new file. */
  static final FileAttribute<Set<PosixFilePermission>> FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private static final FileAttribute<Set<PosixFilePermission>> FOLDER =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  /** Returns a folder of the user of this process. */
  static OwnFolder at(Path path) throws IOException {
    // The name is that of the user id, as for the owner of a file.
    String user =
        ProcessHandle.current()
            .info()
            .user()
            .orElseThrow(() -> new IOException("the user of this process is unknown"));
    return new OwnFolder(path, user);
  }

  /** Creates the folder if it does not exist. */
  void create() throws IOException {
    Path parent = path.getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    try {
      Files.createDirectory(path, FOLDER);
    } catch (FileAlreadyExistsException e) {
      // The check of the folder refuses what is none.
      return;
    }
  }

  /**
   * Checks the folder and its files, if it exists.
   *
   * @throws IOException if another user may have written to one of them, or it is a link
   */
  void check() throws IOException {
    if (!Files.exists(path, NOFOLLOW_LINKS)) {
      return;
    }
    PosixFileAttributes folder = attributes(path);
    if (!folder.isDirectory()) {
      throw refused(path, "is no folder");
    }
    check(path, folder);
    try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
      for (Path file : files) {
        checkFile(file);
      }
    }
  }

  private void checkFile(Path file) throws IOException {
    try {
      PosixFileAttributes attributes = attributes(file);
      if (!attributes.isRegularFile()) {
        throw refused(file, "is no regular file");
      }
      check(file, attributes);
    } catch (NoSuchFileException e) {
      // Another 'sluice host' of this user has just deleted it.
      return;
    }
  }

  private static PosixFileAttributes attributes(Path file) throws IOException {
    return Files.readAttributes(file, PosixFileAttributes.class, NOFOLLOW_LINKS);
  }

  private void check(Path file, PosixFileAttributes attributes) throws IOException {
    String owner = attributes.owner().getName();
    if (!owner.equals(user)) {
      throw refused(file, "belongs to " + owner + ", not to " + user);
    }
    Set<PosixFilePermission> permissions = attributes.permissions();
    if (permissions.contains(PosixFilePermission.GROUP_WRITE)
        || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
      throw refused(file, "can be written by other users");
    }
  }

  private IOException refused(Path file, String fault) {
    return new IOException(
        file
            + " "
            + fault
            + ". Only records that no other user can write are used: run the command as "
            + user
            + ", or look at "
            + path
            + " and remove it");
  }
}
