package io.sluice.decide.plan;

import io.sluice.decide.classify.Classified;
import io.sluice.decide.classify.Expression;
import io.sluice.decide.classify.Restriction;
import io.sluice.decide.classify.Restriction.Operator;
import io.sluice.decide.classify.Restriction.Subject;
import io.sluice.decide.classify.Select;
import io.sluice.decide.classify.StatementShape;
import io.sluice.decide.plan.MergeRule.RowKey;
import io.sluice.decide.plan.Splittable.Reason;
import io.sluice.decide.plan.Splittable.Whole;
import io.sluice.ring.Table;
import io.sluice.ring.Table.KeyColumn;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a statement can be split without changing its answer. An instance serves one
 * statement.
 */
final class StatementSplitter {
  /**
   * Longest text of a statement that is split. Each sub-request carries a text of about the same
   * length.
   */
  static final int LONGEST_TEXT = 65_536;

  /** Largest number of bind markers. Each sub-request binds all of them again. */
  static final int MAX_MARKERS = 1_000;

  static final int MAX_RESTRICTIONS = 1_000;

  private final String cql;
  private final Classified statement;
  private final Select select;
  private final Table table;
  private final List<String> key;
  private final FixedLiterals literals;

  private StatementSplitter(String cql, Classified statement, Select select, Table table) {
    this.cql = cql;
    this.statement = statement;
    this.select = select;
    this.table = table;
    this.key = table.partitionKey().stream().map(KeyColumn::name).toList();
    this.literals = new FixedLiterals(table);
  }

  static Splittable split(String cql, Classified statement, @Nullable Table table) {
    Select select = statement.select();
    String keyspace = statement.keyspace();
    if (statement.shape() == StatementShape.MULTI_POINT_READ) {
      return new Whole(Reason.IN_ON_PARTITION_KEY);
    } else if (select == null || statement.shape() != StatementShape.RANGE_READ) {
      return new Whole(Reason.NOT_A_RANGE_READ);
    } else if (keyspace != null && keyspace.startsWith("system")) {
      return new Whole(Reason.SYSTEM_TABLE);
    } else if (tooLong(cql, select)) {
      return new Whole(Reason.TOO_LONG);
    } else if (table == null) {
      return new Whole(Reason.UNKNOWN_TABLE);
    } else if (table.masked()) {
      return new Whole(Reason.MASKED);
    }
    return new StatementSplitter(cql, statement, select, table).split();
  }

  private static boolean tooLong(String cql, Select select) {
    return cql.length() > LONGEST_TEXT
        || select.markers().size() > MAX_MARKERS
        || select.where().restrictions().size() > MAX_RESTRICTIONS;
  }

  private Splittable split() {
    Reason reason = doubt();
    if (reason != null) {
      return new Whole(reason);
    }
    AggregateRule.Outcome outcome =
        select.groupBy().isEmpty()
            ? AggregateRule.apply(select.projection(), table)
            : AggregateRule.Outcome.NONE;
    if (outcome.refusal() != null) {
      return new Whole(outcome.refusal());
    }
    boolean fold = !outcome.columns().isEmpty();
    if (select.limits().perPartition() != null && (fold || select.projection().distinct())) {
      return new Whole(Reason.PER_PARTITION_LIMIT);
    }
    MergeRule merge = fold ? new MergeRule.Fold(outcome.columns()) : concatenate();
    List<Restriction> tokens = tokens();
    SubStatements texts =
        SubStatements.made(cql, select, tokens, key, outcome.moreSelected(), !fold);
    ResultRows rows = ResultRows.of(select, merge, texts.open().cql());
    boolean indexed = select.where().restrictions().stream().anyMatch(this::usesIndex);
    return new SplitStatement(statement, tokens, merge, texts, rows, indexed);
  }

  private MergeRule concatenate() {
    boolean distinct = select.projection().distinct();
    boolean rows = select.groupBy().isEmpty() && !select.projection().json() && !table.compact();
    return new MergeRule.Concatenate(rows ? rowKey(distinct) : null, distinct);
  }

  private @Nullable RowKey rowKey(boolean distinct) {
    List<Integer> partition = places(table.partitionKey(), 0);
    List<Integer> clustering =
        distinct ? List.of() : places(table.clustering(), table.partitionKey().size());
    boolean all =
        partition.size() == table.partitionKey().size()
            && (distinct || clustering.size() == table.clustering().size());
    return all ? new RowKey(partition, clustering) : null;
  }

  /**
   * Returns the positions of columns in a result row: fewer positions than columns if some are not
   * selected.
   */
  private List<Integer> places(List<KeyColumn> columns, int inStar) {
    List<Select.Selector> selectors = select.projection().selectors();
    List<Integer> places = new ArrayList<>(columns.size());
    for (int c = 0; c < columns.size(); c++) {
      for (int i = 0; i < selectors.size(); i++) {
        Expression value = selectors.get(i).value();
        // SELECT * shows the partition key first, then the clustering columns.
        if (value.kind() == Expression.Kind.STAR) {
          places.add(inStar + c);
          break;
        } else if (isColumn(value, columns.get(c).name())) {
          places.add(i);
          break;
        }
      }
    }
    return places;
  }

  private static boolean isColumn(Expression expression, String name) {
    return expression.kind() == Expression.Kind.COLUMN && name.equals(expression.name());
  }

  private @Nullable Reason doubt() {
    if (!select.orderBy().isEmpty()) {
      boolean nearest = select.orderBy().stream().anyMatch(each -> each.nearestTo() != null);
      return nearest ? Reason.NEAREST_NEIGHBOURS : Reason.ORDERED;
    } else if (!select.groupBy().isEmpty() && !groupsArePartitions()) {
      return Reason.GROUPED;
    }
    for (Restriction restriction : select.where().restrictions()) {
      Reason reason = doubt(restriction);
      if (reason != null) {
        return reason;
      }
    }
    if (tokens().isEmpty() && !select.allowFiltering() && clusteringIsRestricted()) {
      return Reason.FILTERING_IN_DOUBT;
    } else if (!oneOnEachSide()) {
      return Reason.TOKEN_RESTRICTIONS;
    }
    boolean known =
        select.projection().selectors().stream()
            .allMatch(
                each -> RowFunctions.only(each.value()) && callsNoUsersFunction(each.value()));
    if (!known) {
      return Reason.FUNCTION;
    }
    boolean fixed =
        select.projection().selectors().stream().allMatch(each -> literals.only(each.value()));
    return fixed ? null : Reason.LITERAL_IN_DOUBT;
  }

  /** To Cassandra, an unqualified name may be that of a function in the table's keyspace. */
  private boolean callsNoUsersFunction(Expression expression) {
    return !RowFunctions.calls(expression, table.functions());
  }

  private boolean groupsArePartitions() {
    List<Expression> groups = select.groupBy();
    boolean same = groups.size() == key.size() && !select.projection().distinct();
    for (int i = 0; same && i < key.size(); i++) {
      same = isColumn(groups.get(i), key.get(i));
    }
    return same;
  }

  private @Nullable Reason doubt(Restriction restriction) {
    if (restriction.subject() == Subject.CUSTOM_INDEX) {
      return Reason.CUSTOM_INDEX;
    } else if (restriction.subject() == Subject.TOKEN) {
      boolean fits = restriction.columns().equals(key) && bounds(restriction.operator());
      return fits ? null : Reason.TOKEN_RESTRICTIONS;
    } else if (restriction.columns().stream().anyMatch(key::contains)) {
      return Reason.PARTITION_KEY_FILTERED;
    }
    // The expression between the brackets of m[…] is not among the values.
    boolean calls =
        restriction.subject() == Subject.ELEMENT && restriction.span().of(cql).contains("(");
    if (calls
        || !restriction.values().stream()
            .allMatch(each -> RowFunctions.pure(each) && callsNoUsersFunction(each))) {
      return Reason.FUNCTION;
    }
    return literals.only(restriction, cql) ? null : Reason.LITERAL_IN_DOUBT;
  }

  /**
   * Whether Cassandra may search an index for the restriction. Without ALLOW FILTERING, a regular
   * column is restricted through an index, or Cassandra refuses the statement.
   */
  private boolean usesIndex(Restriction restriction) {
    return restriction.subject() != Subject.TOKEN
        && restriction.columns().stream()
            .anyMatch(
                column ->
                    table.indexed().contains(column)
                        || (!select.allowFiltering() && !isClustering(column)));
  }

  private boolean isClustering(String column) {
    return table.clustering().stream().anyMatch(each -> each.name().equals(column));
  }

  private static boolean bounds(Operator operator) {
    return switch (operator) {
      case EQ, LT, LTE, GT, GTE -> true;
      default -> false;
    };
  }

  private List<Restriction> tokens() {
    return select.where().restrictions().stream()
        .filter(each -> each.subject() == Subject.TOKEN)
        .toList();
  }

  private boolean oneOnEachSide() {
    int lower = 0;
    int upper = 0;
    for (Restriction restriction : tokens()) {
      Operator operator = restriction.operator();
      boolean exact = operator == Operator.EQ;
      lower += exact || operator == Operator.GT || operator == Operator.GTE ? 1 : 0;
      upper += exact || operator == Operator.LT || operator == Operator.LTE ? 1 : 0;
    }
    return lower <= 1 && upper <= 1;
  }

  private boolean clusteringIsRestricted() {
    return select.where().restrictions().stream()
        .anyMatch(each -> each.columns().stream().anyMatch(this::isClustering));
  }
}
