package io.sluice.evaluate.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.locks.LockSupport;
import jnr.ffi.Pointer;
import jnr.ffi.types.off_t;
import jnr.ffi.types.size_t;
import ru.serce.jnrfuse.ErrorCodes;
import ru.serce.jnrfuse.FuseFillDir;
import ru.serce.jnrfuse.FuseStubFS;
import ru.serce.jnrfuse.struct.FileStat;
import ru.serce.jnrfuse.struct.FuseFileInfo;

/**
 * A FUSE file system with one file. The model determines how long each read and write takes.
 * Requests come from one thread; {@link #charge} may be called by another.
 */
final class Platter extends FuseStubFS {
  static final String FILE = "disk";

  private static final String PATH = "/" + FILE;
  private static final int ALL_MAY_READ_FOLDERS = 0755;
  private static final int OWNER_MAY_WRITE = 0600;

  private final FileChannel bytes;
  private final DiskShape shape;
  private final SeekModel model;
  private volatile boolean charging;
  private long busyUntil = System.nanoTime();
  private volatile DiskCounts counts = DiskCounts.NONE;

  Platter(FileChannel bytes, DiskShape shape) {
    this.bytes = bytes;
    this.shape = shape;
    this.model = new SeekModel(shape);
  }

  /** Turns the delay of requests on or off. */
  void charge(boolean on) {
    charging = on;
  }

  /** Returns the counts of delayed requests. */
  DiskCounts counts() {
    return counts;
  }

  @Override
  public int getattr(String path, FileStat stat) {
    if (path.equals("/")) {
      stat.st_mode.set(FileStat.S_IFDIR | ALL_MAY_READ_FOLDERS);
      stat.st_nlink.set(2);
      return 0;
    }
    if (!path.equals(PATH)) {
      return -ErrorCodes.ENOENT();
    }
    stat.st_mode.set(FileStat.S_IFREG | OWNER_MAY_WRITE);
    stat.st_nlink.set(1);
    stat.st_size.set(shape.bytes());
    return 0;
  }

  @Override
  public int readdir(
      String path, Pointer names, FuseFillDir filler, @off_t long offset, FuseFileInfo info) {
    filler.apply(names, ".", null, 0);
    filler.apply(names, "..", null, 0);
    filler.apply(names, FILE, null, 0);
    return 0;
  }

  @Override
  public int open(String path, FuseFileInfo info) {
    return path.equals(PATH) ? 0 : -ErrorCodes.ENOENT();
  }

  @Override
  public int read(
      String path, Pointer into, @size_t long size, @off_t long offset, FuseFileInfo info) {
    int length = (int) Math.max(0, Math.min(size, shape.bytes() - offset));
    byte[] copy = new byte[length];
    try {
      ByteBuffer rest = ByteBuffer.wrap(copy);
      while (rest.hasRemaining() && bytes.read(rest, offset + rest.position()) > 0) {}
    } catch (IOException e) {
      return -ErrorCodes.EIO();
    }
    into.put(0, copy, 0, length);
    takeTime(offset, length);
    return length;
  }

  @Override
  public int write(
      String path, Pointer from, @size_t long size, @off_t long offset, FuseFileInfo info) {
    byte[] copy = new byte[(int) size];
    from.get(0, copy, 0, copy.length);
    try {
      ByteBuffer rest = ByteBuffer.wrap(copy);
      while (rest.hasRemaining()) {
        bytes.write(rest, offset + rest.position());
      }
    } catch (IOException e) {
      return -ErrorCodes.EIO();
    }
    takeTime(offset, size);
    return copy.length;
  }

  @Override
  public int fsync(String path, int onlyData, FuseFileInfo info) {
    return 0;
  }

  @Override
  public int truncate(String path, @off_t long size) {
    return 0;
  }

  /**
   * Delays the request. If the thread woke late from the request before, the next delay is shorter
   * by at most {@link #LATE_NANOS}.
   */
  private void takeTime(long offset, long length) {
    boolean seeks = model.seeks(offset);
    long cost = model.nanos(offset, length);
    if (!charging) {
      return;
    }
    counts = counts.plus(length, seeks, cost);
    long now = System.nanoTime();
    busyUntil = Math.max(busyUntil, now - LATE_NANOS) + cost;
    for (long left = busyUntil - now; left > 0; left = busyUntil - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  /** The longest late wake-up that is compensated. */
  private static final long LATE_NANOS = 200_000;
}
