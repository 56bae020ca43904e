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
  @Override
  public Map<String, String> about() {
    return Map.of();
  }

  @Override
  public Disk open() {
    return this;
  }

  @Override
  public void close() {}
}
