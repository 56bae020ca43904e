package io.sluice.agent.pin;

import io.sluice.agent.host.Libc;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * A file that is read piece by piece, and again from the start when it was read completely. Safe
 * for any thread.
 */
final class TouchedFile implements Hold {
  private static final int PIECE = 1 << 18;
  private static final ThreadLocal<ByteBuffer> BUFFER =
      ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(PIECE));

  private final @Nullable Libc libc;
  private final IndexFile file;
  private final int pageSize;
  private volatile long held;
  private long next;
  private boolean closed;

  TouchedFile(@Nullable Libc libc, IndexFile file, int pageSize) {
    this.libc = libc;
    this.file = file;
    this.pageSize = pageSize;
  }

  @Override
  public IndexFile file() {
    return file;
  }

  @Override
  public long heldBytes() {
    return held;
  }

  @Override
  public synchronized boolean proceed() throws IOException {
    if (closed) {
      return false;
    }
    ByteBuffer buffer = BUFFER.get();
    buffer.clear();
    int read;
    try (FileChannel channel = FileChannel.open(Paths.get(file.path()), StandardOpenOption.READ)) {
      read = channel.read(buffer, next);
    } catch (NoSuchFileException e) {
      throw new FileChanged(file);
    }
    next = read <= 0 ? file.bytes() : next + read;
    held = Math.max(held, PinPlan.pages(Math.min(next, file.bytes()), pageSize));
    if (next >= file.bytes()) {
      next = 0;
      return false;
    }
    return true;
  }

  @Override
  public boolean isCurrent() {
    File now = new File(file.path());
    return now.length() == file.bytes();
  }

  @Override
  public synchronized long residentBytes() throws IOException {
    if (closed || libc == null) {
      return closed ? 0 : -1;
    }
    long bytes = PinPlan.pages(file.bytes(), pageSize);
    long address = libc.map(file.path(), file.bytes());
    try {
      return libc.residentPages(address, bytes) * pageSize;
    } finally {
      libc.unmap(address, bytes);
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    held = 0;
  }
}
