package io.sluice.execute.merge;

import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/**
 * Cassandra's unsigned vint encoding. The number of leading one bits in the first byte is the
 * number of bytes that follow; then comes the number, most significant byte first.
 */
final class VInt {

  private VInt() {}

  static void write(long value, ByteArrayOutputStream out) {
    int bits = Long.SIZE - Long.numberOfLeadingZeros(value | 1);
    int extra = bits > 56 ? 8 : (bits - 1) / 7;
    int leadingOnes = 0xFF00 >>> extra;
    out.write(extra == 8 ? 0xFF : leadingOnes | (int) (value >>> (8 * extra)));
    for (int i = extra - 1; i >= 0; i--) {
      out.write((int) (value >>> (8 * i)));
    }
  }

  /**
   * Reads one number.
   *
   * @throws BufferUnderflowException when the bytes end too early
   */
  static long read(ByteBuffer in) {
    int first = in.get() & 0xFF;
    int extra = Integer.numberOfLeadingZeros(~(first << 24));
    long value = extra >= 7 ? 0 : first & (0x7F >>> extra);
    for (int i = 0; i < extra; i++) {
      value = (value << 8) | (in.get() & 0xFF);
    }
    return value;
  }

  static void writeBytes(byte[] bytes, ByteArrayOutputStream out) {
    write(bytes.length, out);
    out.writeBytes(bytes);
  }

  /**
   * Reads a length and as many bytes.
   *
   * @throws BufferUnderflowException when the bytes end too early
   */
  static byte[] readBytes(ByteBuffer in) {
    long length = read(in);
    if (length < 0 || length > in.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] bytes = new byte[(int) length];
    in.get(bytes);
    return bytes;
  }
}
