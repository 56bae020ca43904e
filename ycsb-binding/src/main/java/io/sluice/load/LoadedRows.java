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
 * The rows that were loaded, in ring order, and whether an answer can be true given them. Rows are
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
   * @param keys of all loaded rows
   * @param tokens the partitioner
   * @param mayGrow whether other rows may have been added since
   */
  public LoadedRows(Stream<ByteBuffer> keys, Function<ByteBuffer, Token> tokens, boolean mayGrow) {
    this.tokens = tokens;
    this.mayGrow = mayGrow;
    this.rows =
        keys.map(key -> new Row(key, tokens.apply(key))).sorted(RING_ORDER).toArray(Row[]::new);
  }

  /** How many there are. */
  public int size() {
    return rows.length;
  }

  /** The key at a place in ring order, from 0 on. Not to be changed. */
  public ByteBuffer key(int place) {
    return rows[place].key();
  }

  /** The token at a place in ring order, from 0 on. */
  public Token token(int place) {
    return rows[place].token();
  }

  /** How many of the loaded rows a scan must find, if nothing was added. */
  public int expected(ScanRange range) {
    return Math.max(0, Math.min(range.limit(), end(range.to()) - begin(range.from())));
  }

  /**
   * What is wrong with the answer to a scan: nothing, if every row is intact, inside the range and
   * in ring order, no loaded row is passed over, and fewer rows than the limit are there only if
   * the range has no more.
   */
  public Optional<Fault> fault(ScanRange range, List<SeenRow> seen) {
    if (seen.size() > range.limit()) {
      return wrong(seen.size() + " rows for a LIMIT of " + range.limit());
    }
    int next = begin(range.from());
    int end = end(range.to());
    @Nullable Row before = null;
    for (SeenRow row : seen) {
      Row here = new Row(row.key(), tokens.apply(row.key()));
      Optional<Fault> fault = faultOf(row, here, before, range);
      if (fault.isPresent()) {
        return fault;
      }
      if (next < end && RING_ORDER.compare(rows[next], here) < 0) {
        return wrong("the row at " + rows[next].token() + " was passed over");
      }
      if (next < end && rows[next].equals(here)) {
        next++;
      } else if (!mayGrow) {
        return wrong("the row at " + here.token() + " was never loaded");
      }
      before = here;
    }
    return seen.size() < range.limit() && next < end
        ? Optional.of(
            new Fault(
                RequestFailure.SHORT_READ,
                seen.size() + " rows, but " + (end - next) + " more are in the range"))
        : Optional.empty();
  }

  /** What is wrong with the answer to a count of all rows: nothing, if it can be their number. */
  public Optional<Fault> fault(long count) {
    boolean right = mayGrow ? count >= rows.length : count == rows.length;
    return right
        ? Optional.empty()
        : Optional.of(
            new Fault(
                count < rows.length ? RequestFailure.SHORT_READ : RequestFailure.WRONG_ROWS,
                "a count of " + count + " where " + rows.length + " rows were loaded"));
  }

  /** A failure with the words for a person. */
  public record Fault(RequestFailure failure, String what) {}

  private static Optional<Fault> faultOf(
      SeenRow row, Row here, @Nullable Row before, ScanRange range) {
    Token token = here.token();
    if (!row.intact()) {
      return wrong("the row at " + token + " is not as it was written");
    }
    if (before != null && RING_ORDER.compare(before, here) >= 0) {
      return wrong("the row at " + token + " comes after the one at " + before.token());
    }
    boolean outside =
        (range.from() != null && token.compareTo(range.from()) < 0)
            || (range.to() != null && token.compareTo(range.to()) > 0);
    return outside ? wrong("the row at " + token + " is outside the range") : Optional.empty();
  }

  private static Optional<Fault> wrong(String what) {
    return Optional.of(new Fault(RequestFailure.WRONG_ROWS, what));
  }

  /** The place of the first row at or after a token. */
  private int begin(@Nullable Token from) {
    return from == null ? 0 : search(from, -1);
  }

  /** The place behind the last row at or before a token. */
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
