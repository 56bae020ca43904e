package io.sluice.agent.pin;

import io.sluice.agent.host.Libc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** A mapping of a whole file, which is locked piece by piece. Safe for any thread. */
final class MappedFile implements Hold {
  private static final long PIECE = 1 << 20;

  private final Libc libc;
  private final IndexFile file;
  private final @Nullable Object identity;
  private final long address;
  private final long bytes;
  private volatile long locked;
  private boolean closed;

  MappedFile(Libc libc, IndexFile file) throws IOException {
    this.libc = libc;
    this.file = file;
    BasicFileAttributes before = attributes(file);
    if (before.size() != file.bytes()) {
      throw new FileChanged(file);
    }
    this.identity = before.fileKey();
    this.bytes = PinPlan.pages(file.bytes(), libc.pageSize());
    this.address = map();
    if (!isCurrent()) {
      close();
      throw new FileChanged(file);
    }
  }

  private long map() throws IOException {
    try {
      return libc.map(file.path(), file.bytes());
    } catch (IOException e) {
      attributes(file);
      throw e;
    }
  }

  private static BasicFileAttributes attributes(IndexFile file) throws IOException {
    Path path = Paths.get(file.path());
    try {
      return Files.readAttributes(path, BasicFileAttributes.class);
    } catch (NoSuchFileException e) {
      throw new FileChanged(file);
    }
  }

  @Override
  public IndexFile file() {
    return file;
  }

  @Override
  public long heldBytes() {
    return locked;
  }

  @Override
  public synchronized boolean proceed() throws IOException {
    if (closed || locked == bytes) {
      return false;
    }
    long piece = Math.min(PIECE, bytes - locked);
    try {
      libc.lock(address + locked, piece);
    } catch (IOException e) {
      throw new LockRefused(e);
    }
    locked += piece;
    return locked < bytes;
  }

  @Override
  public boolean isCurrent() {
    try {
      BasicFileAttributes now = attributes(file);
      return now.size() == file.bytes() && identity != null && identity.equals(now.fileKey());
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public synchronized long residentBytes() throws IOException {
    return closed ? 0 : libc.residentPages(address, bytes) * libc.pageSize();
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      locked = 0;
      try {
        libc.unmap(address, bytes);
      } catch (IOException e) {
        throw new IllegalStateException(file + " cannot be unmapped", e);
      }
    }
  }
}
