package io.sluice.decide.plan;

import io.sluice.decide.classify.Expression;
import io.sluice.decide.classify.Expression.Kind;
import io.sluice.decide.classify.Select;
import io.sluice.decide.plan.MergeRule.FoldColumn;
import io.sluice.decide.plan.Splittable.Reason;
import io.sluice.ring.Table;
import io.sluice.ring.TableName;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether aggregates over a whole result can be computed from those of its parts, bit for
 * bit as Cassandra would have computed them.
 *
 * <p>Aggregates of whole numbers can: sums wrap around in any order, and AVG divides an exact sum
 * once. The sum of decimals can, but not their average: Cassandra rounds after every row. For
 * floating point only MIN and MAX can.
 */
final class AggregateRule {
  private static final Set<String> WHOLE =
      Set.of("tinyint", "smallint", "int", "bigint", "varint", "counter");
  private static final Set<String> FLOATING = Set.of("float", "double");
  private static final Set<String> COMPARED =
      Set.of("text", "varchar", "ascii", "blob", "boolean", "date", "time", "timestamp");

  private final Select.Projection projection;
  private final Table table;
  private final List<FoldColumn> columns = new ArrayList<>();
  private final StringBuilder more = new StringBuilder();
  private int selected;

  private AggregateRule(Select.Projection projection, Table table) {
    this.projection = projection;
    this.table = table;
    this.selected = projection.selectors().size();
  }

  /**
   * The result of the rule.
   *
   * @param refusal the reason why not; null if the aggregates can be computed or there are none
   * @param columns the result's columns; empty without aggregates
   * @param moreSelected CQL of additional selectors for sub-requests, behind the client's selectors
   */
  record Outcome(@Nullable Reason refusal, List<FoldColumn> columns, String moreSelected) {

    /** No aggregates. */
    static final Outcome NONE = new Outcome(null, List.of(), "");
  }

  static Outcome apply(Select.Projection projection, Table table) {
    if (projection.selectors().stream().noneMatch(e -> RowFunctions.aggregates(e.value()))) {
      return Outcome.NONE;
    }
    AggregateRule rule = new AggregateRule(projection, table);
    Reason refusal = rule.refusal();
    return new Outcome(refusal, rule.columns, rule.more.toString());
  }

  private @Nullable Reason refusal() {
    if (projection.json() || projection.distinct()) {
      return Reason.AGGREGATE_FORM;
    }
    for (int i = 0; i < projection.selectors().size(); i++) {
      Expression value = projection.selectors().get(i).value();
      if (!RowFunctions.aggregate(value)
          || value.parts().stream().anyMatch(RowFunctions::aggregates)) {
        return Reason.AGGREGATE_FORM;
      }
      Reason reason = value.parts().size() == 1 ? add(i, value) : Reason.AGGREGATE_ARGUMENT;
      if (reason != null) {
        return reason;
      }
    }
    return null;
  }

  private @Nullable Reason add(int index, Expression aggregate) {
    Expression argument = aggregate.parts().get(0);
    String name = RowFunctions.plain(aggregate);
    if (name.equals("count")) {
      return count(index, argument);
    }
    String type = type(argument);
    if (type == null) {
      return Reason.AGGREGATE_ARGUMENT;
    }
    return switch (name) {
      case "sum" -> sum(index, type);
      case "avg" -> average(argument, type);
      default -> extreme(index, name, type);
    };
  }

  private @Nullable Reason count(int index, Expression argument) {
    boolean rows = argument.kind() == Kind.STAR || argument.kind() == Kind.INTEGER;
    if (!rows && type(argument) == null) {
      return Reason.AGGREGATE_ARGUMENT;
    }
    columns.add(new FoldColumn(FoldColumn.Kind.COUNT, index, -1, "bigint"));
    return null;
  }

  private @Nullable Reason sum(int index, String type) {
    if (!WHOLE.contains(type) && !type.equals("decimal")) {
      return FLOATING.contains(type) ? Reason.AGGREGATE_ROUNDS : Reason.AGGREGATE_ARGUMENT;
    }
    columns.add(new FoldColumn(FoldColumn.Kind.SUM, index, -1, type));
    return null;
  }

  private @Nullable Reason extreme(int index, String name, String type) {
    if (!isOrdered(type)) {
      return Reason.AGGREGATE_ARGUMENT;
    }
    FoldColumn.Kind kind = name.equals("min") ? FoldColumn.Kind.MIN : FoldColumn.Kind.MAX;
    columns.add(new FoldColumn(kind, index, -1, type));
    return null;
  }

  /** Whether values of a type are one cell, of which MIN and MAX can be computed here. */
  private static boolean isOrdered(String type) {
    return WHOLE.contains(type)
        || FLOATING.contains(type)
        || COMPARED.contains(type)
        || type.equals("decimal");
  }

  /**
   * Adds an average. The client's own column stays, for its name and type; the sum and the count
   * follow behind it.
   */
  private @Nullable Reason average(Expression argument, String type) {
    boolean rounds = FLOATING.contains(type) || type.equals("decimal");
    if (argument.kind() != Kind.COLUMN || argument.name() == null || !WHOLE.contains(type)) {
      return rounds ? Reason.AGGREGATE_ROUNDS : Reason.AGGREGATE_ARGUMENT;
    }
    String column = TableName.quoted(argument.name());
    String exact = type.equals("varint") ? column : "CAST(" + column + " AS varint)";
    more.append(", sum(").append(exact).append("), count(").append(column).append(')');
    columns.add(new FoldColumn(FoldColumn.Kind.AVG, selected, selected + 1, type));
    selected += 2;
    return null;
  }

  /** Returns the type of a column, or of writetime or ttl of a single-cell column. */
  private @Nullable String type(Expression argument) {
    if (argument.kind() == Kind.COLUMN) {
      return argument.name() == null ? null : table.types().get(argument.name());
    } else if (argument.kind() != Kind.FUNCTION || argument.parts().size() != 1) {
      return null;
    }
    Expression column = argument.parts().get(0);
    String type = column.kind() == Kind.COLUMN ? type(column) : null;
    if (type == null || !isOrdered(type)) {
      return null;
    }
    return switch (RowFunctions.plain(argument)) {
      case "writetime" -> "bigint";
      case "ttl" -> "int";
      default -> null;
    };
  }
}
