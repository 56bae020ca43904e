package io.sluice.decide.classify;

import io.sluice.ring.Table;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apache.cassandra.cql3.CQLFragmentParser;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.CqlParser;
import org.apache.cassandra.cql3.MultiColumnRelation;
import org.apache.cassandra.cql3.Relation;
import org.apache.cassandra.cql3.SingleColumnRelation;
import org.apache.cassandra.cql3.Term;
import org.apache.cassandra.cql3.TokenRelation;
import org.apache.cassandra.cql3.VariableSpecifications;
import org.apache.cassandra.cql3.statements.BatchStatement;
import org.apache.cassandra.cql3.statements.DescribeStatement;
import org.apache.cassandra.cql3.statements.ModificationStatement;
import org.apache.cassandra.cql3.statements.QualifiedStatement;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.cql3.statements.TruncateStatement;
import org.apache.cassandra.cql3.statements.UseStatement;
import org.apache.cassandra.cql3.statements.schema.AlterSchemaStatement;
import org.apache.cassandra.exceptions.RequestValidationException;
import org.jspecify.annotations.Nullable;

/** Summarizes a statement with Cassandra's own parser, in the form of {@link Summary}. */
final class CassandraOracle {
  private CassandraOracle() {}

  /** Returns the parsed statement, or null if Cassandra rejects the text. */
  static CQLStatement.@Nullable Raw parse(String cql) {
    try {
      return CQLFragmentParser.parseAnyUnhandled(CqlParser::query, cql);
    } catch (org.antlr.runtime.RecognitionException | RequestValidationException rejected) {
      return null;
    } catch (RuntimeException parserGaveUp) {
      return null;
    }
  }

  static String summary(CQLStatement.Raw raw, @Nullable String session) {
    if (raw instanceof SelectStatement.RawStatement select) {
      return select(select, session);
    } else if (raw instanceof ModificationStatement.Parsed
        || raw instanceof BatchStatement.Parsed) {
      return modification((QualifiedStatement) raw, session);
    } else if (raw instanceof TruncateStatement truncate) {
      return write(name(truncate, session), truncate, false).replaceFirst("^WRITE", "TRUNCATE");
    } else if (raw instanceof UseStatement use) {
      return "USE " + use.keyspace();
    } else if (raw instanceof DescribeStatement<?>) {
      boolean keyspaces = raw.getClass() == DescribeStatement.keyspaces().getClass();
      return keyspaces ? "SYSTEM_LOCAL" : "NODE_LOCAL";
    }
    boolean schema =
        raw.getClass().getName().startsWith(AlterSchemaStatement.class.getPackageName());
    return schema ? "SCHEMA" : "OTHER";
  }

  private static String name(QualifiedStatement statement, @Nullable String session) {
    boolean qualified = statement.isFullyQualified();
    return (qualified ? statement.keyspace() : session)
        + "."
        + statement.name()
        + (qualified ? " qualified" : "");
  }

  private static String select(SelectStatement.RawStatement select, @Nullable String session) {
    String keyspace = select.isFullyQualified() ? select.keyspace() : session;
    SelectStatement.Parameters parameters = select.parameters;
    String relations =
        select.whereClause.relations.stream()
            .map(CassandraOracle::relation)
            .sorted()
            .collect(Collectors.joining("; "));
    StatementShape shape =
        shape(
            String.valueOf(keyspace),
            select.name(),
            select.whereClause.relations.stream().map(CassandraOracle::relation).toList());
    return shape
        + " "
        + name(select, session)
        + " markers="
        + markers(select)
        + (parameters.isJson ? " json" : "")
        + (parameters.isDistinct ? " distinct" : "")
        + " selectors="
        + select.selectClause.size()
        + " aliases="
        + select.selectClause.stream().filter(s -> s.alias != null).map(s -> s.alias).toList()
        + " where=["
        + relations
        + "] custom="
        + select.whereClause.expressions.size()
        + " group="
        + parameters.groups.size()
        + " order="
        + parameters.orderings.size()
        + " per="
        + text(select.perPartitionLimit)
        + " limit="
        + text(select.limit)
        + (parameters.allowFiltering ? " filtering" : "");
  }

  /** Restates the rules of the classifier in terms of the printed relations. */
  private static StatementShape shape(String keyspace, String name, List<String> relations) {
    if (keyspace.equals("system") && name.matches("local|peers|peers_v2")) {
      return StatementShape.SYSTEM_LOCAL;
    } else if (keyspace.equals("system_virtual_schema")
        && name.matches("keyspaces|tables|columns")) {
      return StatementShape.SYSTEM_LOCAL;
    } else if (keyspace.matches("system|system_schema|system_views|system_virtual_schema")) {
      return StatementShape.NODE_LOCAL;
    } else if (keyspace.equals("null")) {
      return StatementShape.OTHER;
    }
    Table table = TestTables.CATALOG.table(keyspace, name);
    if (table == null) {
      boolean range =
          relations.isEmpty() || relations.stream().anyMatch(r -> r.startsWith("TOKEN"));
      return range ? StatementShape.RANGE_READ : StatementShape.OTHER;
    }
    List<String> key =
        relations.stream()
            .filter(
                r ->
                    table.partitionKey().stream()
                        .anyMatch(
                            c -> r.matches("COLUMN \\[" + c.name() + "] (EQ|IN|IN_MARKER) \\d+")))
            .toList();
    if (key.stream().map(r -> r.split("]", 2)[0]).distinct().count()
        < table.partitionKey().size()) {
      return StatementShape.RANGE_READ;
    }
    boolean several = key.stream().anyMatch(r -> r.contains("] IN"));
    return several ? StatementShape.MULTI_POINT_READ : StatementShape.POINT_READ;
  }

  private static String text(Term.@Nullable Raw term) {
    return term == null ? "-" : term.getText().startsWith(":") ? "?" : term.getText();
  }

  private static String relation(Relation relation) {
    String operator = relation.operator().name().toUpperCase(Locale.ROOT);
    int values =
        relation.isIN() && relation.getInValues() != null ? relation.getInValues().size() : 1;
    boolean marker = relation.isIN() && relation.getInValues() == null;
    String right = " " + (marker ? "IN_MARKER" : operator) + " " + values;
    if (relation instanceof SingleColumnRelation single) {
      return (single.getMapKey() == null ? "COLUMN " : "ELEMENT ")
          + List.of(single.getEntity())
          + right;
    } else if (relation instanceof MultiColumnRelation multi) {
      return "TUPLE " + multi.getEntities() + right;
    }
    return "TOKEN " + field(TokenRelation.class, relation, "entities") + right;
  }

  private static String modification(QualifiedStatement raw, @Nullable String session) {
    if (raw instanceof BatchStatement.Parsed batch) {
      List<?> parts = (List<?>) field(BatchStatement.Parsed.class, batch, "parsedStatements");
      if (parts.isEmpty()) {
        return "OTHER";
      }
      boolean conditional =
          parts.stream().anyMatch(p -> conditional((ModificationStatement.Parsed) p));
      boolean qualified =
          parts.stream().allMatch(p -> ((ModificationStatement.Parsed) p).isFullyQualified());
      String first = name((QualifiedStatement) parts.get(0), session).replace(" qualified", "");
      return write(first + (qualified ? " qualified" : ""), batch, conditional);
    }
    return write(name(raw, session), raw, conditional((ModificationStatement.Parsed) raw));
  }

  private static String write(String name, CQLStatement.Raw raw, boolean conditional) {
    return (name.matches("(system|system_schema|system_views)[.].*") ? "NODE_LOCAL " : "WRITE ")
        + name
        + " markers="
        + markers(raw)
        + (conditional ? " conditional" : "");
  }

  private static boolean conditional(ModificationStatement.Parsed statement) {
    Class<?> declaring = ModificationStatement.Parsed.class;
    return !statement.getConditions().isEmpty()
        || (boolean) field(declaring, statement, "ifNotExists")
        || (boolean) field(declaring, statement, "ifExists");
  }

  private static int markers(CQLStatement.Raw raw) {
    VariableSpecifications variables =
        (VariableSpecifications) field(CQLStatement.Raw.class, raw, "bindVariables");
    return ((List<?>) field(VariableSpecifications.class, variables, "variableNames")).size();
  }

  private static Object field(Class<?> declaring, Object owner, String name) {
    try {
      Field field = declaring.getDeclaredField(name);
      field.setAccessible(true);
      return field.get(owner);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }
}
