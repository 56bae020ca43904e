package io.sluice.load;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/** Reads YCSB workloads: files of the user, or those of Sluice. */
public final class WorkloadFiles {
  private WorkloadFiles() {}

  /**
   * Reads the properties of a workload.
   *
   * @param name a file, or the name of a workload of Sluice, with or without folders before it
   * @throws IOException if it is neither; the message has the name
   */
  public static Properties read(String name) throws IOException {
    Path file = Path.of(name);
    Properties properties = new Properties();
    try (InputStream bytes = Files.isRegularFile(file) ? Files.newInputStream(file) : ours(file);
        Reader text = new InputStreamReader(bytes, StandardCharsets.UTF_8)) {
      properties.load(text);
    }
    return properties;
  }

  private static InputStream ours(Path file) throws IOException {
    String resource = "/workloads/" + file.getFileName();
    InputStream found = WorkloadFiles.class.getResourceAsStream(resource);
    if (found == null) {
      throw new IOException(
          "no workload '"
              + file
              + "': neither a file nor one of a, b, c, g, mix91, mix55,"
              + " openloop");
    }
    return found;
  }
}
