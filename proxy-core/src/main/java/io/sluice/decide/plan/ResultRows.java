package io.sluice.decide.plan;

import io.sluice.decide.classify.Restriction;
import io.sluice.decide.classify.Restriction.Subject;
import io.sluice.decide.classify.Select;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Identifies which rows of its range a range read returns. Two statements with equal values here
 * return rows of equal density.
 *
 * @param kind the kind of rows
 * @param text for {@link Kind#SOME} the statement's text without bounds and LIMIT, or a hash of a
 *     long one; else empty. Its length is bounded, because it is kept as a key
 */
public record ResultRows(Kind kind, String text) {

  /** The kinds of rows. */
  public enum Kind {
    /** All rows, whatever columns are selected. */
    EVERY,
    /** One row per partition: DISTINCT, or grouped by the partition key. */
    ONE_A_PARTITION,
    /** The rows that a filter or PER PARTITION LIMIT leaves. */
    SOME,
    /** No rows: the result is computed from rows. */
    AGGREGATE;

    /** Returns the kind of rows that a statement returns; {@code AGGREGATE} for null. */
    public static Kind of(@Nullable Select select) {
      if (select == null || (aggregates(select) && select.groupBy().isEmpty())) {
        return AGGREGATE;
      } else if (filters(select)) {
        return SOME;
      }
      boolean groups = select.projection().distinct() || !select.groupBy().isEmpty();
      return groups ? ONE_A_PARTITION : EVERY;
    }

    private static boolean aggregates(Select select) {
      // Without a stream: this runs for each range read.
      for (Select.Selector each : select.projection().selectors()) {
        if (!RowFunctions.pure(each.value())) {
          return true;
        }
      }
      return false;
    }

    private static boolean filters(Select select) {
      return select.limits().perPartition() != null || isNearest(select) || restricts(select);
    }

    private static boolean isNearest(Select select) {
      for (Select.Ordering each : select.orderBy()) {
        if (each.nearestTo() != null) {
          return true;
        }
      }
      return false;
    }

    private static boolean restricts(Select select) {
      for (Restriction each : select.where().restrictions()) {
        if (each.subject() != Subject.TOKEN) {
          return true;
        }
      }
      return false;
    }

    /** Whether a node reads exactly the rows that it returns. */
    public boolean areThoseRead() {
      return this == EVERY;
    }

    /**
     * Returns the key for the costs of these reads of a table. Reads that return other rows than
     * they read have keys of their own: their answers would make large reads look small.
     */
    public String costsOf(String table) {
      return this == EVERY ? table : table + ' ' + name();
    }
  }

  /** Whether one of Cassandra's own aggregates, or GROUP BY, computes the result from rows. */
  public static boolean combines(Select select) {
    return !select.groupBy().isEmpty()
        || select.projection().selectors().stream()
            .anyMatch(each -> RowFunctions.aggregates(each.value()));
  }

  /** Longest text that is kept unchanged. */
  static final int LONGEST_TEXT = 256;

  /**
   * Identifies the rows of a statement that can be split.
   *
   * @param open its text without bounds and LIMIT
   */
  static ResultRows of(Select select, MergeRule merge, String open) {
    Kind kind = merge instanceof MergeRule.Fold ? Kind.AGGREGATE : Kind.of(select);
    return new ResultRows(kind, kind == Kind.SOME ? bounded(open) : "");
  }

  private static String bounded(String text) {
    if (text.length() <= LONGEST_TEXT) {
      return text;
    }
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
