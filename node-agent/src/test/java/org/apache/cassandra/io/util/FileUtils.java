package org.apache.cassandra.io.util;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.apache.cassandra.utils.SyncUtil;

/** A stand-in for Cassandra's class. */
public class FileUtils {
  private FileUtils() {}

  /**
   * Creates the file, but writes its lines only at the end, as Cassandra's buffered writer does.
   */
  public static void write(File file, List<String> lines, StandardOpenOption... options)
      throws IOException {
    Path path = Path.of(file.toString());
    try (FileChannel channel = FileChannel.open(path, options)) {
      SyncUtil.force(channel, true);
      channel.write(ByteBuffer.wrap(String.join("\n", lines).getBytes(StandardCharsets.UTF_8)));
    }
  }
}
