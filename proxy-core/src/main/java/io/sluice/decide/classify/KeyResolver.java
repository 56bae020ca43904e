package io.sluice.decide.classify;

import io.sluice.decide.classify.Restriction.Operator;
import io.sluice.decide.classify.Restriction.Subject;
import io.sluice.ring.Partitioner;
import io.sluice.ring.Table;
import io.sluice.ring.Table.KeyColumn;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Matches restrictions against the partition key of a table. */
final class KeyResolver {
  private KeyResolver() {}

  /** The key, and the kind of a read of it. */
  record Resolved(StatementShape shape, KeyTerms key) {}

  /** Resolves the kind of a read with these restrictions, and the key that it names. */
  static Resolved resolve(Table table, List<Restriction> restrictions) {
    List<KeyTerms.Part> parts = new ArrayList<>(table.partitionKey().size());
    boolean several = false;
    boolean doubtful = false;
    for (KeyColumn column : table.partitionKey()) {
      Restriction found = null;
      for (Restriction restriction : restrictions) {
        if (names(restriction, column.name())) {
          doubtful |= found != null;
          several |= restriction.operator() != Operator.EQ;
          found = restriction;
        }
      }
      if (found == null) {
        return new Resolved(StatementShape.RANGE_READ, KeyTerms.UNKNOWN);
      }
      parts.add(
          new KeyTerms.Part(column.type(), found.values(), found.operator() == Operator.IN_MARKER));
    }
    StatementShape shape = several ? StatementShape.MULTI_POINT_READ : StatementShape.POINT_READ;
    return new Resolved(shape, doubtful ? KeyTerms.UNKNOWN : new KeyTerms(parts));
  }

  private static boolean names(Restriction restriction, String column) {
    return restriction.subject() == Subject.COLUMN
        && switch (restriction.operator()) {
          case EQ, IN, IN_MARKER -> restriction.columns().get(0).equals(column);
          default -> false;
        };
  }

  /** Returns the comparisons of the key's token, in the order of the text. */
  static List<TokenTerm> tokens(
      @Nullable Table table, List<Restriction> restrictions, Partitioner partitioner) {
    List<TokenTerm> tokens = List.of();
    for (Restriction restriction : restrictions) {
      if (restriction.subject() == Subject.TOKEN
          && comparesOne(restriction.operator())
          && (table == null || ofKey(table, restriction.columns()))) {
        KeyTerms arguments = tokenArguments(table, restriction.values().get(0));
        tokens = tokens.isEmpty() ? new ArrayList<>(2) : tokens;
        tokens.add(new TokenTerm(restriction, arguments, partitioner));
      }
    }
    return tokens;
  }

  private static boolean comparesOne(Operator operator) {
    return switch (operator) {
      case EQ, LT, LTE, GT, GTE, BETWEEN -> true;
      default -> false;
    };
  }

  private static boolean ofKey(Table table, List<String> columns) {
    return table.partitionKey().stream().map(KeyColumn::name).toList().equals(columns);
  }

  private static KeyTerms tokenArguments(@Nullable Table table, Expression bound) {
    if (table == null
        || bound.kind() != Expression.Kind.FUNCTION
        || !"token".equals(bound.name())
        || bound.parts().size() != table.partitionKey().size()) {
      return KeyTerms.UNKNOWN;
    }
    List<KeyTerms.Part> parts = new ArrayList<>(bound.parts().size());
    for (int i = 0; i < bound.parts().size(); i++) {
      String type = table.partitionKey().get(i).type();
      parts.add(new KeyTerms.Part(type, List.of(bound.parts().get(i)), false));
    }
    return new KeyTerms(parts);
  }
}
