package io.sluice.evaluate.study;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A folder with all its files. */
record FileTree(Path folder) {
  private static final int BLOCK = 1 << 20;

  /** Copies the folder to a path that does not exist. */
  void copyTo(Path place) {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : (Iterable<Path>) all::iterator) {
        Files.copy(each, place.resolve(folder.relativize(each).toString()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Deletes the folder, if it exists. */
  void delete() {
    if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the size of all files in these of its folders. Files may come and go meanwhile. */
  long bytesOf(List<String> names) {
    long[] sum = new long[1];
    for (String name : names) {
      try {
        Files.walkFileTree(
            folder.resolve(name),
            new SimpleFileVisitor<>() {
              @Override
              public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                sum[0] += attributes.size();
                return FileVisitResult.CONTINUE;
              }

              @Override
              public FileVisitResult visitFileFailed(Path file, IOException gone) {
                return FileVisitResult.CONTINUE;
              }
            });
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return sum[0];
  }

  /**
   * Writes {@code bytes} bytes sequentially to a new file, syncs and deletes the file. Returns the
   * nanoseconds of write and sync.
   */
  long nanosToWrite(long bytes) {
    Path file = folder.resolve("sequential");
    long began = System.nanoTime();
    try (FileChannel out =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      ByteBuffer block = ByteBuffer.allocateDirect(BLOCK);
      for (long left = bytes; left > 0; left -= block.capacity()) {
        block.clear().limit((int) Math.min(left, block.capacity()));
        while (block.hasRemaining()) {
          out.write(block);
        }
      }
      out.force(true);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    long took = System.nanoTime() - began;
    if (!file.toFile().delete()) {
      throw new IllegalStateException(file + " cannot be deleted");
    }
    return took;
  }
}
