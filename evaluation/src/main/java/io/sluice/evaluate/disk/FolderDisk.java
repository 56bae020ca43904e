package io.sluice.evaluate.disk;

import java.nio.file.Path;
import java.util.Map;

/**
 * The existing disk of a folder.
 *
 * @param name name in reports
 * @param folder the folder
 */
public record FolderDisk(String name, Path folder) implements Disk, Disk.Plan {
  private static final Path SYS = Path.of("/sys");

  @Override
  public Map<String, String> about() {
    return ReadAhead.about(SYS, name, folder);
  }

  @Override
  public Disk open() {
    return this;
  }

  @Override
  public void close() {}
}
