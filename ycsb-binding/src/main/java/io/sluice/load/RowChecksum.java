package io.sluice.load;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/** Computes the checksum that is stored with a row's values. */
public final class RowChecksum {
  private RowChecksum() {}

  /**
   * Returns the CRC-32C of the key and of each column's name and value in the order of names. The
   * length of each goes before it.
   */
  public static long of(ByteBuffer key, Map<String, ByteBuffer> values) {
    CRC32C crc = new CRC32C();
    add(crc, key);
    new TreeMap<>(values)
        .forEach(
            (name, value) -> {
              add(crc, ByteBuffer.wrap(name.getBytes(StandardCharsets.UTF_8)));
              add(crc, value);
            });
    return crc.getValue();
  }

  private static void add(CRC32C crc, ByteBuffer bytes) {
    crc.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, bytes.remaining()));
    crc.update(bytes.duplicate());
  }
}
