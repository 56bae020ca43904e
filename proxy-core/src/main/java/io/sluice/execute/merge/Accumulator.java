package io.sluice.execute.merge;

import io.sluice.decide.plan.FoldColumn;
import io.sluice.wire.RowCursor;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * One result column of an aggregate in the making. What the parts hold are results of Cassandra's
 * own aggregates (its {@code AggregateFcts}), so this only has to put results together.
 */
interface Accumulator {

  /** Takes the row of one part, in the order of the pieces. */
  void add(RowCursor row);

  /** The result's cell; null for null. */
  byte @Nullable [] result();

  /**
   * The one for a column.
   *
   * @throws IllegalArgumentException when parts of it cannot be put together exactly
   */
  static Accumulator of(FoldColumn column) {
    return switch (column.kind()) {
      case COUNT -> new WholeSum(column.part(), Long.BYTES);
      case SUM -> sum(column);
      case MIN -> new Extreme(column.part(), CellOrder.of(column.type()).reversed());
      case MAX -> new Extreme(column.part(), CellOrder.of(column.type()));
      case AVG -> new Average(column.part(), column.count(), averageLength(column.type()));
    };
  }

  private static Accumulator sum(FoldColumn column) {
    return switch (column.type()) {
      case "tinyint" -> new WholeSum(column.part(), Byte.BYTES);
      case "smallint" -> new WholeSum(column.part(), Short.BYTES);
      case "int" -> new WholeSum(column.part(), Integer.BYTES);
      case "bigint", "counter" -> new WholeSum(column.part(), Long.BYTES);
      case "varint" -> new WholeSum(column.part(), 0);
      case "decimal" -> new DecimalSum(column.part());
      default -> throw new IllegalArgumentException("No exact SUM of parts of " + column.type());
    };
  }

  /** A decimal's average is rounded at each row, a float's sum too: both depend on the order. */
  private static int averageLength(String type) {
    return switch (type) {
      case "tinyint" -> Byte.BYTES;
      case "smallint" -> Short.BYTES;
      case "int" -> Integer.BYTES;
      case "bigint", "counter" -> Long.BYTES;
      case "varint" -> 0;
      default -> throw new IllegalArgumentException("No exact AVG of parts of " + type);
    };
  }

  /** A number in so many bytes, upper bits lost as in a cast; 0: as many as it needs. */
  private static byte[] bytes(BigInteger number, int length) {
    byte[] all = ByteBuffer.allocate(Long.BYTES).putLong(number.longValue()).array();
    return length == 0
        ? number.toByteArray()
        : Arrays.copyOfRange(all, Long.BYTES - length, Long.BYTES);
  }

  private static BigInteger whole(byte[] cell) {
    return cell.length == 0 ? BigInteger.ZERO : new BigInteger(cell);
  }

  /** A sum that wraps around in its type: modulo 2^n it does not matter when. */
  final class WholeSum implements Accumulator {
    private final int part;
    private final int length;
    private BigInteger sum = BigInteger.ZERO;

    WholeSum(int part, int length) {
      this.part = part;
      this.length = length;
    }

    @Override
    public void add(RowCursor row) {
      sum = sum.add(whole(row.cell(part)));
    }

    @Override
    public byte[] result() {
      return bytes(sum, length);
    }
  }

  /** An exact sum, with as many decimal places as the value that has the most. */
  final class DecimalSum implements Accumulator {
    private final int part;
    private BigDecimal sum = BigDecimal.ZERO;

    DecimalSum(int part) {
      this.part = part;
    }

    @Override
    public void add(RowCursor row) {
      byte[] cell = row.cell(part);
      sum = cell.length == 0 ? sum : sum.add(CellOrder.decimal(cell));
    }

    @Override
    public byte[] result() {
      byte[] digits = sum.unscaledValue().toByteArray();
      return ByteBuffer.allocate(Integer.BYTES + digits.length)
          .putInt(sum.scale())
          .put(digits)
          .array();
    }
  }

  /** The greatest; of equal values the first. */
  final class Extreme implements Accumulator {
    private final int part;
    private final Comparator<byte[]> order;
    private byte @Nullable [] best;

    Extreme(int part, Comparator<byte[]> order) {
      this.part = part;
      this.order = order;
    }

    @Override
    public void add(RowCursor row) {
      if (row.length(part) >= 0) {
        byte[] value = row.cell(part);
        best = best == null || order.compare(value, best) > 0 ? value : best;
      }
    }

    @Override
    public byte @Nullable [] result() {
      return best;
    }
  }

  /** An exact sum by a count, rounded towards zero; zero of nothing. */
  final class Average implements Accumulator {
    private final int part;
    private final int count;
    private final int length;
    private BigInteger sum = BigInteger.ZERO;
    private BigInteger values = BigInteger.ZERO;

    Average(int part, int count, int length) {
      this.part = part;
      this.count = count;
      this.length = length;
    }

    @Override
    public void add(RowCursor row) {
      sum = sum.add(whole(row.cell(part)));
      values = values.add(whole(row.cell(count)));
    }

    @Override
    public byte[] result() {
      return bytes(values.signum() == 0 ? BigInteger.ZERO : sum.divide(values), length);
    }
  }
}
