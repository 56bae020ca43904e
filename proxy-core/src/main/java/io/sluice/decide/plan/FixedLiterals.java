package io.sluice.decide.plan;

import io.sluice.decide.classify.Expression;
import io.sluice.decide.classify.Expression.Kind;
import io.sluice.decide.classify.Restriction;
import io.sluice.decide.classify.Restriction.Subject;
import io.sluice.ring.Table;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Finds literals whose value depends on the node or the moment, such as {@code 'now'}. Cassandra's
 * coordinator reads a literal once. The pieces of a split read are read by several nodes, and at
 * several times.
 *
 * @param table the table of the statement
 */
record FixedLiterals(Table table) {

  /** The types whose literals are fixed, and the words around them in the name of a type. */
  private static final Set<String> FIXED =
      Set.of(
          "ascii",
          "bigint",
          "blob",
          "boolean",
          "counter",
          "date",
          "decimal",
          "double",
          "duration",
          "float",
          "int",
          "smallint",
          "text",
          "time",
          "timeuuid",
          "tinyint",
          "uuid",
          "varchar",
          "varint",
          "frozen",
          "list",
          "map",
          "set",
          "tuple");

  private static final Pattern BETWEEN_TYPES = Pattern.compile("[<>, ]+");

  /** The type of a literal by itself, which Cassandra refuses as a selector. */
  private static final String NONE = "text";

  /** A type that is not known here, such as that of an argument. */
  private static final String UNKNOWN = "?";

  /** Whether all literals of a condition are fixed. */
  boolean only(Restriction restriction, String cql) {
    List<String> types = restriction.columns().stream().map(this::type).toList();
    String type = types.size() == 1 ? types.get(0) : UNKNOWN;
    return (restriction.subject() != Subject.ELEMENT
            || isFixed(type)
            || !quotes(restriction.span().of(cql)))
        && restriction.values().stream()
            .allMatch(
                value ->
                    (value.kind() == Kind.TUPLE && value.parts().size() == types.size())
                        ? only(value.parts(), types)
                        : only(value, type));
  }

  /** Whether a text has a string. The key between the brackets of m[…] is no value. */
  private static boolean quotes(String cql) {
    return cql.contains("'") || cql.contains("$$");
  }

  private boolean only(List<Expression> values, List<String> types) {
    return IntStream.range(0, types.size()).allMatch(i -> only(values.get(i), types.get(i)));
  }

  /** Whether all literals of a selector are fixed. */
  boolean only(Expression selector) {
    return only(selector, NONE);
  }

  private boolean only(Expression expression, String type) {
    if (expression.kind() == Kind.STRING) {
      return isFixed(type) || expression.isFixedString();
    }
    String inside =
        switch (expression.kind()) {
          case HINT -> String.valueOf(expression.name());
          case FUNCTION, CAST, ARITHMETIC -> UNKNOWN;
          case ELEMENT, SLICE -> type(expression.parts().get(0));
          default -> type;
        };
    return expression.parts().stream().allMatch(part -> only(part, inside));
  }

  private String type(Expression expression) {
    return expression.kind() == Kind.COLUMN ? type(String.valueOf(expression.name())) : UNKNOWN;
  }

  private String type(String column) {
    return table.types().getOrDefault(column, UNKNOWN);
  }

  private static boolean isFixed(String type) {
    return BETWEEN_TYPES.splitAsStream(type).allMatch(FIXED::contains);
  }
}
