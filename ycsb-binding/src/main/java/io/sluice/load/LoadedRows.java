package io.sluice.load;

import com.datastax.oss.driver.api.core.metadata.token.Token;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The loaded rows in ring order. Checks whether an answer is possible with these rows, which are
 * never removed. Immutable.
 */
public final class LoadedRows {
  private final Function<ByteBuffer, Token> tokens;
  private final boolean mayGrow;
  private final Row[] rows;

  private record Row(ByteBuffer key, Token token) {}

  private static final Comparator<Row> RING_ORDER =
      Comparator.comparing(Row::token).thenComparing(Row::key);

  /**
   * Creates the rows.
   *
   * @param keys keys of all loaded rows
   * @param tokens the partitioner
   * @param mayGrow whether rows may have been added after loading
   */
  public LoadedRows(Stream<ByteBuffer> keys, Function<ByteBuffer, Token> tokens, boolean mayGrow) {
    this.tokens = tokens;
    this.mayGrow = mayGrow;
    this.rows =
        keys.map(key -> new Row(key, tokens.apply(key))).sorted(RING_ORDER).toArray(Row[]::new);
  }

  /** Returns the number of rows. */
  public int size() {
    return rows.length;
  }

  /** Returns the key at a position in ring order, from 0 on. Callers must not change it. */
  public ByteBuffer key(int place) {
    return rows[place].key();
  }

  /** Returns the token at a position in ring order, from 0 on. */
  public Token token(int place) {
    return rows[place].token();
  }

  /** Returns the number of loaded rows that a scan must return, if none were added. */
  public int expected(ScanRange range) {
    return Math.max(0, Math.min(range.limit(), end(range.to()) - begin(range.from())));
  }

  /**
   * Checks the answer to a scan. It is right if every row is intact, inside the range and in ring
   * order, and no loaded row is missing. It may have fewer rows than the limit only if the range
   * has no more.
   *
   * @return the fault; empty if the answer is right
   */
  public Optional<Fault> fault(ScanRange range, List<SeenRow> seen) {
    if (seen.size() > range.limit()) {
      return wrong(seen.size() + " rows for a LIMIT of " + range.limit());
    }
    int next = begin(range.from());
    int end = end(range.to());
    @Nullable Row before = null;
    @Nullable Row missing = null;
    for (SeenRow row : seen) {
      Row here = new Row(row.key(), tokens.apply(row.key()));
      Optional<Fault> fault = faultOf(row, here, before, range);
      if (fault.isPresent()) {
        return fault;
      }
      while (next < end && RING_ORDER.compare(rows[next], here) < 0) {
        missing = missing == null ? rows[next] : missing;
        next++;
      }
      if (next < end && rows[next].equals(here)) {
        next++;
      } else if (!mayGrow) {
        return wrong("the row at " + here.token() + " was never loaded");
      }
      before = here;
    }
    if (missing != null) {
      return Optional.of(missing(missing, seen.size() < expected(range)));
    }
    return seen.size() < range.limit() && next < end
        ? Optional.of(
            new Fault(
                RequestFailure.SHORT_READ,
                seen.size() + " rows, but " + (end - next) + " more are in the range"))
        : Optional.empty();
  }

  /**
   * Checks the answer to a count of all rows.
   *
   * @return the fault; empty if the count is possible
   */
  public Optional<Fault> fault(long count) {
    boolean right = mayGrow ? count >= rows.length : count == rows.length;
    return right
        ? Optional.empty()
        : Optional.of(
            new Fault(
                count < rows.length ? RequestFailure.SHORT_READ : RequestFailure.WRONG_ROWS,
                "a count of " + count + " where " + rows.length + " rows were loaded"));
  }

  /** A failure with a description for people. */
  public record Fault(RequestFailure failure, String what) {}

  private static Optional<Fault> faultOf(
      SeenRow row, Row here, @Nullable Row before, ScanRange range) {
    Token token = here.token();
    if (!row.intact()) {
      return wrong("the row at " + token + " has changed");
    }
    if (before != null && RING_ORDER.compare(before, here) >= 0) {
      return wrong("the row at " + token + " comes after the one at " + before.token());
    }
    boolean outside =
        (range.from() != null && token.compareTo(range.from()) < 0)
            || (range.to() != null && token.compareTo(range.to()) > 0);
    return outside ? wrong("the row at " + token + " is outside the range") : Optional.empty();
  }

  private static Fault missing(Row row, boolean fewer) {
    return new Fault(
        fewer ? RequestFailure.SHORT_READ : RequestFailure.WRONG_ROWS,
        "the row at " + row.token() + " is missing");
  }

  private static Optional<Fault> wrong(String what) {
    return Optional.of(new Fault(RequestFailure.WRONG_ROWS, what));
  }

  /** Returns the position of the first row at or after a token. */
  private int begin(@Nullable Token from) {
    return from == null ? 0 : search(from, -1);
  }

  /** Returns the position after the last row at or before a token. */
  private int end(@Nullable Token to) {
    return to == null ? rows.length : search(to, 1);
  }

  private int search(Token token, int ifEqual) {
    Row probe = new Row(ByteBuffer.allocate(0), token);
    int found =
        Arrays.binarySearch(
            rows,
            probe,
            (row, wanted) -> {
              int order = row.token().compareTo(wanted.token());
              return order == 0 ? -ifEqual : order;
            });
    return -found - 1;
  }
}
