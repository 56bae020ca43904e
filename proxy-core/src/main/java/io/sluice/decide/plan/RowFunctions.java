package io.sluice.decide.plan;

import io.sluice.decide.classify.Expression;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Knows Cassandra's own functions whose result depends only on the row and the arguments. A user's
 * function may be an aggregate, which its name does not show, and may have the name of one of
 * Cassandra's own. The result of now() and similar functions would differ between sub-requests.
 */
final class RowFunctions {
  private static final Set<String> PURE =
      Set.of(
          "token",
          "writetime",
          "maxwritetime",
          "minwritetime",
          "ttl",
          "tojson",
          "to_json",
          "fromjson",
          "from_json",
          "todate",
          "to_date",
          "totimestamp",
          "to_timestamp",
          "tounixtimestamp",
          "to_unix_timestamp",
          "dateof",
          "unixtimestampof",
          "mintimeuuid",
          "min_timeuuid",
          "maxtimeuuid",
          "max_timeuuid",
          "abs",
          "exp",
          "log",
          "log10",
          "round",
          "map_keys",
          "map_values",
          "collection_count",
          "collection_min",
          "collection_max",
          "collection_sum",
          "collection_avg",
          "similarity_cosine",
          "similarity_euclidean",
          "similarity_dot_product");

  /** The types that have conversions to and from blob. */
  private static final Set<String> NATIVE_TYPES =
      Set.of(
          "ascii",
          "bigint",
          "boolean",
          "counter",
          "date",
          "decimal",
          "double",
          "duration",
          "float",
          "inet",
          "int",
          "smallint",
          "text",
          "time",
          "timestamp",
          "timeuuid",
          "tinyint",
          "uuid",
          "varchar",
          "varint");

  private static final Set<String> CONVERSIONS =
      NATIVE_TYPES.stream()
          .flatMap(
              type ->
                  Stream.of(type + "asblob", type + "_as_blob", "blobas" + type, "blob_as_" + type))
          .collect(Collectors.toUnmodifiableSet());

  private static final Set<String> AGGREGATES = Set.of("count", "sum", "min", "max", "avg");

  private static final String SYSTEM = "system.";

  private RowFunctions() {}

  /** Returns a function's name without the prefix of Cassandra's own keyspace. */
  static String plain(Expression function) {
    String name = String.valueOf(function.name());
    return name.startsWith(SYSTEM) ? name.substring(SYSTEM.length()) : name;
  }

  /** Whether an expression calls one of Cassandra's own aggregates. */
  static boolean aggregate(Expression expression) {
    return expression.kind() == Expression.Kind.FUNCTION && AGGREGATES.contains(plain(expression));
  }

  /** Whether an expression contains an aggregate. */
  static boolean aggregates(Expression expression) {
    if (aggregate(expression)) {
      return true;
    }
    for (Expression part : expression.parts()) {
      if (aggregates(part)) {
        return true;
      }
    }
    return false;
  }

  /** Whether all functions in an expression are Cassandra's own and depend only on rows. */
  static boolean only(Expression expression) {
    boolean known =
        expression.kind() != Expression.Kind.FUNCTION
            || aggregate(expression)
            || isPure(plain(expression));
    return known && all(expression.parts());
  }

  private static boolean all(List<Expression> parts) {
    for (Expression part : parts) {
      if (!only(part)) {
        return false;
      }
    }
    return true;
  }

  /** Whether {@link #only} is true and the expression contains no aggregate. */
  static boolean pure(Expression expression) {
    return only(expression) && !aggregates(expression);
  }

  private static boolean isPure(String name) {
    return PURE.contains(name) || CONVERSIONS.contains(name);
  }

  /** Whether an expression calls a function by one of these names. */
  static boolean calls(Expression expression, Set<String> names) {
    boolean called =
        expression.kind() == Expression.Kind.FUNCTION
            && names.contains(String.valueOf(expression.name()));
    return called || expression.parts().stream().anyMatch(part -> calls(part, names));
  }
}
