package io.sluice.statement;

import io.sluice.decide.classify.Classified;
import io.sluice.decide.classify.Classifier;
import io.sluice.decide.classify.StatementShape;
import io.sluice.decide.plan.ScatterPlanner;
import io.sluice.decide.plan.Splittable;
import io.sluice.execute.merge.Merger;
import io.sluice.ring.Table;
import io.sluice.watch.ClusterView;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Classifies texts of statements, and determines which range reads can be split. Immutable. */
final class TextReader {

  private final Classifier classifier = new Classifier();
  private final ScatterPlanner planner;

  TextReader(ScatterPlanner planner) {
    this.planner = planner;
  }

  /**
   * The classification of a text, independent of bound values.
   *
   * @param classified the classified statement
   * @param split whether it can be split; null unless it is a range read
   * @param unknownTable whether it selects by columns of an unknown table: a point read or a range
   *     read
   */
  record Understood(Classified classified, @Nullable Splittable split, boolean unknownTable) {

    /**
     * Returns the classification for a request with this paging state. A proxy that knew the table
     * has made the paging state of a split read.
     */
    Understood continuing(@Nullable ByteBuffer pagingState) {
      return unknownTable && Merger.isOwnState(pagingState)
          ? new Understood(
              classified.asRangeRead(),
              new Splittable.Whole(Splittable.Reason.UNKNOWN_TABLE),
              false)
          : this;
    }
  }

  /**
   * Reads a text.
   *
   * @param keyspace the keyspace of unqualified names; null without one
   */
  Understood read(String cql, @Nullable String keyspace, ClusterView view) {
    Classified classified = classify(cql, keyspace, view);
    Table table = classified.table(view.catalog());
    if (classified.shape() == StatementShape.RANGE_READ) {
      return new Understood(classified, planner.splittable(cql, classified, table), false);
    }
    boolean unknownTable =
        classified.shape() == StatementShape.OTHER && classified.select() != null && table == null;
    return new Understood(classified, null, unknownTable);
  }

  /** Classifies a text that is not split even if it is a range read. */
  Classified classify(String cql, @Nullable String keyspace, ClusterView view) {
    return classifier.classify(cql, keyspace, view.catalog(), view.ring().partitioner());
  }

  /** Returns the reading of prepared texts under a schema. */
  PreparedCache.Reading under(ClusterView view) {
    return (cql, keyspace) -> read(cql, keyspace, view);
  }
}
