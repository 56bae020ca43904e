package io.sluice.execute.merge;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** The codec of integer cells. */
final class WholeNumber {

  private WholeNumber() {}

  /**
   * Encodes a number in {@code length} bytes and drops the upper bits, as a cast does. Length 0
   * means as many bytes as the number needs.
   */
  static byte[] write(BigInteger number, int length) {
    byte[] all = ByteBuffer.allocate(Long.BYTES).putLong(number.longValue()).array();
    return length == 0
        ? number.toByteArray()
        : Arrays.copyOfRange(all, Long.BYTES - length, Long.BYTES);
  }

  static BigInteger read(byte[] cell) {
    return cell.length == 0 ? BigInteger.ZERO : new BigInteger(cell);
  }
}
