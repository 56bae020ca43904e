package io.sluice.execute.merge;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** The cells of whole numbers. */
final class WholeNumber {

  private WholeNumber() {}

  /** A number in so many bytes, upper bits lost as in a cast; 0: as many as it needs. */
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
