package io.sluice.agent.join;

import io.sluice.agent.host.Libc;
import java.io.File;
import java.io.IOException;

/** File operations by the C library. Safe for any thread. */
final class LibcDisk implements Disk {
  private final Libc libc;

  LibcDisk(Libc libc) {
    this.libc = libc;
  }

  @Override
  public int open(String path) throws IOException {
    return libc.open(path);
  }

  @Override
  public long size(String path) {
    return new File(path).length();
  }

  @Override
  public void beginWriting(int descriptor) {
    try {
      libc.beginWriting(descriptor);
    } catch (IOException e) {
      // The sync itself writes the pages later.
      return;
    }
  }

  @Override
  public void sync(int descriptor) throws IOException {
    libc.sync(descriptor);
  }

  @Override
  public void close(int descriptor) {
    try {
      libc.close(descriptor);
    } catch (IOException e) {
      // Linux closes the file even so.
      return;
    }
  }
}
