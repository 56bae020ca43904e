package io.sluice.decide.plan;

import io.sluice.decide.classify.Restriction.Subject;
import io.sluice.decide.classify.Select;

/**
 * The rows of a table that a range read returns of the range it reads. Those of two statements that
 * are equal here lie equally dense.
 *
 * @param kind which
 * @param text what else they depend on: the statement's text without bounds and LIMIT for {@link
 *     Kind#SOME}, else empty
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
    AGGREGATE
  }

  static ResultRows of(SplitStatement split) {
    Kind kind = kind(split);
    return new ResultRows(kind, kind == Kind.SOME ? split.texts().open().cql() : "");
  }

  private static Kind kind(SplitStatement split) {
    Select select = split.statement().select();
    if (select == null || split.merge() instanceof MergeRule.Fold) {
      return Kind.AGGREGATE;
    }
    boolean filters =
        select.where().restrictions().stream().anyMatch(each -> each.subject() != Subject.TOKEN);
    if (filters || select.limits().perPartition() != null) {
      return Kind.SOME;
    }
    boolean groups = select.projection().distinct() || !select.groupBy().isEmpty();
    return groups ? Kind.ONE_A_PARTITION : Kind.EVERY;
  }
}
