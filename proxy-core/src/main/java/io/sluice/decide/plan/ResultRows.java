package io.sluice.decide.plan;

import io.sluice.decide.classify.Restriction.Subject;
import io.sluice.decide.classify.Select;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a table that a range read returns of the range it reads. Those of two statements that
 * are equal here lie equally dense.
 *
 * @param kind which
 * @param text what else they depend on: the statement's text without bounds and LIMIT for {@link
 *     Kind#SOME}, or a hash of a long one; else empty. Bounded, since it is kept as a key
 */
public record ResultRows(Kind kind, String text) {

  /** Which rows. */
  public enum Kind {
    /** All of them, whatever columns it shows. */
    EVERY,
    /** One for each partition: DISTINCT, or grouped by the partition key. */
    ONE_A_PARTITION,
    /** What a filter or PER PARTITION LIMIT leaves. */
    SOME,
    /** None: what it returns is made of rows. */
    AGGREGATE;

    /** The rows that a statement returns; null is none. */
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
      return !select.projection().selectors().stream().allMatch(e -> RowFunctions.pure(e.value()));
    }

    private static boolean filters(Select select) {
      return select.limits().perPartition() != null
          || select.orderBy().stream().anyMatch(each -> each.nearestTo() != null)
          || select.where().restrictions().stream()
              .anyMatch(each -> each.subject() != Subject.TOKEN);
    }

    /** Whether a node has read the rows that it returns, and no others. */
    public boolean areThoseRead() {
      return this == EVERY;
    }

    /**
     * The name under which the costs of these reads of a table are kept. Those of reads that return
     * other rows than they read are kept apart: they would teach that large reads are small.
     */
    public String costsOf(String table) {
      return this == EVERY ? table : table + ' ' + name();
    }
  }

  /** Whether a result is made of rows by an aggregate of Cassandra's own, or by groups. */
  public static boolean combines(Select select) {
    return !select.groupBy().isEmpty()
        || select.projection().selectors().stream()
            .anyMatch(each -> RowFunctions.aggregates(each.value()));
  }

  /** Characters of a text that is kept as it is. */
  static final int LONGEST_TEXT = 256;

  /**
   * The rows of a statement that can be split.
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
