package io.sluice.agent.pin;

import io.sluice.agent.host.Libc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Paths;
import org.jspecify.annotations.Nullable;

/**
 * Keeps files in memory by reading them again and again, so that the kernel takes them for used.
 * Maps no files and keeps none open, so deleted files are gone at once. Safe for any thread.
 */
final class TouchingHolder implements Holder {
  private static final int USUAL_PAGE = 4096;

  private final @Nullable Libc libc;

  /**
   * Creates a holder.
   *
   * @param libc reads which pages are in memory; null if there is none
   */
  TouchingHolder(@Nullable Libc libc) {
    this.libc = libc;
  }

  @Override
  public String mode() {
    return "touched";
  }

  @Override
  public int pageSize() {
    return libc == null ? USUAL_PAGE : libc.pageSize();
  }

  @Override
  public long room() {
    return Long.MAX_VALUE;
  }

  @Override
  public boolean repeats() {
    return true;
  }

  @Override
  public Hold hold(IndexFile file) throws IOException {
    if (!Files.exists(Paths.get(file.path()))
        || Files.size(Paths.get(file.path())) != file.bytes()) {
      throw new FileChanged(file);
    }
    return new TouchedFile(libc, file, pageSize());
  }
}
