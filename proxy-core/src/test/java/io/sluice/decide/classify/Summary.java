package io.sluice.decide.classify;

import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Summarizes a statement with the classifier, in the form of {@link CassandraOracle}. */
final class Summary {
  private Summary() {}

  static String of(Classified verdict) {
    Select select = verdict.select();
    String name =
        verdict.keyspace() + "." + verdict.table() + (verdict.qualified() ? " qualified" : "");
    if (select != null) {
      return verdict.shape() + " " + name + select(select);
    }
    boolean write =
        verdict.shape() == StatementShape.WRITE || verdict.shape() == StatementShape.TRUNCATE;
    boolean localWrite = verdict.shape() == StatementShape.NODE_LOCAL && verdict.table() != null;
    if (write || localWrite) {
      return verdict.shape()
          + " "
          + name
          + " markers="
          + verdict.markers()
          + (verdict.conditional() ? " conditional" : "");
    }
    return verdict.shape() == StatementShape.USE
        ? "USE " + verdict.keyspace()
        : verdict.shape().name();
  }

  private static String select(Select select) {
    Select.Projection projection = select.projection();
    boolean star = projection.selectors().get(0).value().kind() == Expression.Kind.STAR;
    List<Restriction> where = select.where().restrictions();
    long custom =
        where.stream().filter(r -> r.subject() == Restriction.Subject.CUSTOM_INDEX).count();
    return " markers="
        + select.markers().size()
        + (projection.json() ? " json" : "")
        + (projection.distinct() ? " distinct" : "")
        + " selectors="
        + (star ? 0 : projection.selectors().size())
        + " aliases="
        + projection.selectors().stream()
            .map(Select.Selector::alias)
            .filter(Objects::nonNull)
            .map(Name::text)
            .toList()
        + " where=["
        + where.stream()
            .filter(r -> r.subject() != Restriction.Subject.CUSTOM_INDEX)
            .map(r -> r.subject() + " " + r.columns() + " " + operator(r))
            .sorted()
            .collect(Collectors.joining("; "))
        + "] custom="
        + custom
        + " group="
        + select.groupBy().size()
        + " order="
        + select.orderBy().size()
        + " per="
        + text(select.limits().perPartition())
        + " limit="
        + text(select.limits().rows())
        + (select.allowFiltering() ? " filtering" : "");
  }

  private static String operator(Restriction restriction) {
    return switch (restriction.operator()) {
      case IN -> "IN " + restriction.values().size();
      case IS_NOT_NULL -> "IS_NOT 1";
      default -> restriction.operator() + " 1";
    };
  }

  private static String text(@Nullable Expression limit) {
    return limit == null
        ? "-"
        : limit.kind() == Expression.Kind.MARKER ? "?" : String.valueOf(limit.name());
  }
}
