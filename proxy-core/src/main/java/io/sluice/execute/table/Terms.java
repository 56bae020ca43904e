package io.sluice.execute.table;

import io.sluice.decide.classify.BoundValues;
import io.sluice.decide.classify.Expression;
import io.sluice.decide.classify.Restriction;
import io.sluice.decide.classify.TermBytes;
import io.sluice.wire.RowSet;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The values that one statement compares with or assigns. Their number and their bytes are limited,
 * because they are copied and compared on a lane: a marker can repeat a value without bytes of its
 * own, and a bound list can have millions of empty elements.
 */
final class Terms {

  /** Limit on the values of a statement. */
  static final int MAX_VALUES = 1_000;

  /** Limit on the bytes of all these values together. */
  static final int MAX_BYTES = 65_536;

  private final BoundValues values;
  private int count;
  private long bytes;

  Terms(BoundValues values) {
    this.values = values;
  }

  /**
   * Returns the values on the right side of a restriction.
   *
   * @throws NotAnswerable when a value does not match the column, or a limit is exceeded
   */
  List<@Nullable ByteBuffer> of(Restriction restriction, RowSet.Column column)
      throws NotAnswerable {
    if (restriction.operator() == Restriction.Operator.IN_MARKER) {
      return list(restriction);
    }
    List<@Nullable ByteBuffer> terms = new ArrayList<>();
    for (Expression value : restriction.values()) {
      countValue();
      ByteBuffer term = term(value, column);
      countBytes(term);
      terms.add(term);
    }
    return terms;
  }

  private void countValue() throws NotAnswerable {
    if (++count > MAX_VALUES) {
      throw NotAnswerable.tooMany(MAX_VALUES, "values");
    }
  }

  private void countBytes(@Nullable ByteBuffer value) throws NotAnswerable {
    bytes += value == null ? 0 : value.remaining();
    if (bytes > MAX_BYTES) {
      throw NotAnswerable.tooMany(MAX_BYTES, "bytes of values");
    }
  }

  private @Nullable ByteBuffer term(Expression value, RowSet.Column column) throws NotAnswerable {
    String type = typeOf(column);
    ByteBuffer bytes = TermBytes.of(value, type, values);
    if (bytes == null && value.kind() != Expression.Kind.MARKER) {
      throw new NotAnswerable(
          String.format(
              Locale.ROOT,
              "Invalid %s constant (%s) for \"%s\" of type %s",
              value.kind(),
              value.name(),
              column.name(),
              type));
    }
    return bytes;
  }

  /** Returns the CQL type of a column whose values can be compared. */
  static String typeOf(RowSet.Column column) throws NotAnswerable {
    String type = column.type().cqlName();
    if (type == null) {
      throw NotAnswerable.unsupported("a comparison of " + column.name());
    }
    return type;
  }

  /** Returns the elements of a list that is bound to one marker. */
  private List<@Nullable ByteBuffer> list(Restriction restriction) throws NotAnswerable {
    ByteBuffer bound = TermBytes.of(restriction.values().get(0), "list", values);
    List<@Nullable ByteBuffer> elements = new ArrayList<>();
    if (bound == null) {
      return elements;
    }
    countBytes(bound);
    try {
      for (int n = bound.getInt(); n > 0; n--) {
        countValue();
        int length = bound.getInt();
        elements.add(length < 0 ? null : Cells.next(bound, length));
      }
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      throw new NotAnswerable("The value bound to IN is no list");
    }
    return elements;
  }
}
