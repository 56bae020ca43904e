package io.sluice.decide.classify;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A selector or a term, as a tree.
 *
 * @param kind its form
 * @param span its position in the text
 * @param name see {@link Kind}; null for kinds without a name
 * @param parts see {@link Kind}; empty for kinds without parts
 * @param marker position of a {@link Kind#MARKER} among the statement's markers, from 0; else −1
 */
public record Expression(
    Kind kind, Span span, @Nullable String name, List<Expression> parts, int marker) {

  /** The memory of an expression with its span, a short name, and its place in a list. */
  private static final int BYTES = 112;

  /** Returns the approximate memory of this tree, in bytes. */
  long heapBytes() {
    long bytes = BYTES + (name == null ? 0 : 2L * name.length());
    for (Expression part : parts) {
      bytes += part.heapBytes();
    }
    return bytes;
  }

  /** The forms an expression can have. */
  public enum Kind {
    /** {@code name} is the column's, as stored. */
    COLUMN,
    /** {@code *}. */
    STAR,
    /**
     * {@code name} is the function's as stored, after its keyspace and a dot where one was written;
     * {@code parts} are the arguments. Includes count, token, writetime, maxwritetime and ttl.
     */
    FUNCTION,
    /** {@code CAST(part AS name)}; the name is the type, in lower case. */
    CAST,
    /** {@code (name) part}: a type hint, which converts nothing. */
    HINT,
    /** {@code part.name}. */
    FIELD,
    /** {@code part[part]}. */
    ELEMENT,
    /** {@code part[from..to]}, either bound may be missing. */
    SLICE,
    /** {@code part name part}, or {@code - part}. */
    ARITHMETIC,
    /** {@code ?}, or {@code :name}. */
    MARKER,
    /** A whole number; {@code name} is its text, with its sign. Likewise for the next five. */
    INTEGER,
    /** A number with a fraction or an exponent, NaN and the infinities. */
    FLOAT,
    /** {@code name} is the content, without quotes. */
    STRING,
    /** {@code true} or {@code false}. */
    BOOLEAN,
    /** A uuid of either type. */
    UUID,
    /** A blob, {@code 0x…}. */
    HEX,
    /** A duration in either notation. */
    DURATION,
    /** {@code null}. */
    NULL,
    /** {@code [parts]}: a list or a vector. */
    LIST,
    /** <code>{parts}</code>. */
    SET,
    /**
     * <code>{key: value}</code>, a map or a value of a user-defined type; keys and values in turn.
     */
    MAP,
    /** {@code (parts)}. */
    TUPLE
  }

  /**
   * Whether a {@link Kind#STRING} has the same value on every node and at any time, whatever its
   * type. A timestamp without an offset is in the time zone of the node, {@code now} is the time at
   * which the node reads it, and the node looks up the name of a host.
   */
  public boolean isFixedString() {
    return kind == Kind.STRING
        && name != null
        && (LiteralBytes.of(kind, name, "timestamp") != null
            || LiteralBytes.of(kind, name, "inet") != null);
  }
}
