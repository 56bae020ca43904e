package io.sluice.host.tree;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The files below a folder. Safe for any thread. */
final class DirectoryTree implements HostTree {
  /** The suffix of a file until it is completely on disk. */
  private static final String UNFINISHED = ".new";

  private static final Set<OpenOption> NEW_CONTENT =
      Set.of(CREATE, WRITE, TRUNCATE_EXISTING, NOFOLLOW_LINKS);
  private static final Set<OpenOption> LOCKABLE = Set.of(CREATE, READ, WRITE, NOFOLLOW_LINKS);

  private static final int READ_AT_ONCE = 1 << 16;

  private final Path root;
  private final boolean copy;

  DirectoryTree(Path root) {
    this.root = root;
    this.copy = root.getNameCount() > 0;
  }

  private Path file(String path) {
    return root.resolve(path.substring(1));
  }

  @Override
  public Optional<String> read(String path) throws IOException {
    Path file = file(path);
    if (!Files.isRegularFile(file)) {
      return Optional.empty();
    }
    try (FileChannel channel = FileChannel.open(file, READ)) {
      return Optional.of(content(channel));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (AccessDeniedException e) {
      throw new IOException(path + ": Permission denied", e);
    }
  }

  /**
   * Reads a file. A kernel parameter must be read with one call: a second call returns the end of
   * the file, wherever the first one stopped.
   */
  private static String content(FileChannel channel) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(READ_AT_ONCE);
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    while (channel.read(buffer) > 0) {
      content.write(buffer.array(), 0, buffer.position());
      buffer.clear();
    }
    return content.toString(UTF_8);
  }

  @Override
  public List<String> list(String folder) throws IOException {
    if (!Files.isDirectory(file(folder))) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(file(folder))) {
      return files.map(file -> String.valueOf(file.getFileName())).sorted().toList();
    }
  }

  @Override
  public boolean writable(String path) {
    Path file = file(path);
    try {
      return Files.isRegularFile(file)
          && Files.getPosixFilePermissions(file).contains(PosixFilePermission.OWNER_WRITE);
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public void write(String path, String value) throws IOException {
    Path file = file(path);
    try {
      String text = copy ? KernelValue.after(Files.readString(file), value) : value + "\n";
      try (FileChannel channel = FileChannel.open(file, WRITE, TRUNCATE_EXISTING)) {
        channel.write(ByteBuffer.wrap(text.getBytes(UTF_8)));
      }
    } catch (NoSuchFileException e) {
      throw new IOException(path + " does not exist", e);
    } catch (AccessDeniedException e) {
      throw new IOException(path + ": Permission denied", e);
    } catch (FileSystemException e) {
      throw new IOException(path + ": " + e.getReason(), e);
    } catch (IOException e) {
      throw new IOException(path + ": " + e.getMessage(), e);
    }
  }

  @Override
  public void checkOwn(String folder) throws IOException {
    OwnFolder.at(file(folder)).check();
  }

  @Override
  public void replace(String path, String text) throws IOException {
    Path file = file(path);
    Path folder = folderOf(file);
    OwnFolder.at(folder).create();
    Path unfinished = file.resolveSibling(file.getFileName() + UNFINISHED);
    try (FileChannel channel = FileChannel.open(unfinished, NEW_CONTENT, OwnFolder.FILE)) {
      ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(UTF_8));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
    Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
    sync(folder);
  }

  @Override
  public void delete(String path) throws IOException {
    Path file = file(path);
    Files.deleteIfExists(file);
    sync(folderOf(file));
  }

  private static Path folderOf(Path file) {
    Path folder = file.getParent();
    if (folder == null) {
      throw new IllegalArgumentException("not a file: " + file);
    }
    return folder;
  }

  private static void sync(Path folder) throws IOException {
    if (Files.isDirectory(folder)) {
      try (FileChannel channel = FileChannel.open(folder, READ)) {
        channel.force(true);
      }
    }
  }

  @Override
  public Closeable lock(String path) throws IOException {
    Path file = file(path);
    FileChannel channel = openLock(file);
    try {
      if (tryLock(channel) == null) {
        throw new IOException(
            "another 'sluice host' is changing settings (process "
                + Files.readString(file).strip()
                + "); stop it first");
      }
      channel.truncate(0);
      channel.write(ByteBuffer.wrap((ProcessHandle.current().pid() + "\n").getBytes(UTF_8)));
      return channel;
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  private static FileChannel openLock(Path file) throws IOException {
    try {
      OwnFolder folder = OwnFolder.at(folderOf(file));
      folder.create();
      folder.check();
      return FileChannel.open(file, LOCKABLE, OwnFolder.FILE);
    } catch (AccessDeniedException e) {
      throw new IOException("only root may change settings: no access to " + file, e);
    }
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  @Override
  public Bytes open(String path) throws IOException {
    if (!Files.isRegularFile(file(path))) {
      throw new IOException(path + " is not a regular file");
    }
    FileChannel channel = FileChannel.open(file(path), READ);
    return new Bytes() {
      @Override
      public int read(ByteBuffer into, long position) throws IOException {
        int all = 0;
        while (into.hasRemaining()) {
          int read = channel.read(into, position + all);
          if (read <= 0) {
            break;
          }
          all += read;
        }
        return all;
      }

      @Override
      public void close() throws IOException {
        channel.close();
      }
    };
  }
}
