package io.sluice.usage;

import io.sluice.decide.classify.Classified;
import io.sluice.decide.classify.StatementShape;
import io.sluice.usage.LaneUsage.TableFacts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The cost of the reads and writes of each table, as one lane has counted it. Not safe for several
 * threads.
 */
final class TableUsage {

  /** Maximum number of pairs of table and shape that are kept individually. */
  private static final int MAX = 1_000;

  private final Map<Kind, Cost> costs = new HashMap<>();

  /** A table and the shape of statements on it. */
  record Kind(String keyspace, String table, StatementShape shape) {}

  /**
   * Returns the cost to which the caller adds a statement's calls; null when the statement concerns
   * no table of users.
   *
   * @param classified a statement that a node has answered, so that its table exists
   */
  @Nullable Cost cost(Classified classified) {
    String keyspace = classified.keyspace();
    String table = classified.table();
    if (keyspace == null || table == null || !isOfRows(classified.shape())) {
      return null;
    }
    Kind kind = new Kind(keyspace, table, classified.shape());
    boolean kept = costs.containsKey(kind) || costs.size() < MAX;
    return costs.computeIfAbsent(
        kept ? kind : new Kind("", "", classified.shape()), each -> new Cost());
  }

  private static boolean isOfRows(StatementShape shape) {
    return switch (shape) {
      case POINT_READ, MULTI_POINT_READ, RANGE_READ, WRITE -> true;
      default -> false;
    };
  }

  List<TableFacts> facts() {
    List<TableFacts> facts = new ArrayList<>(costs.size());
    costs.forEach(
        (kind, cost) ->
            facts.add(
                new TableFacts(
                    kind.keyspace(),
                    kind.table(),
                    kind.shape().name().toLowerCase(Locale.ROOT),
                    cost.copy())));
    return facts;
  }
}
