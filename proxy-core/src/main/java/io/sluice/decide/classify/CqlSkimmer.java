package io.sluice.decide.classify;

import io.sluice.ring.Catalog;
import io.sluice.ring.Partitioner;
import io.sluice.ring.Table;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Parses one statement and decides its kind. */
final class CqlSkimmer {
  private static final Set<String> NODE_LOCAL_KEYSPACES =
      Set.of("system", "system_schema", "system_views", "system_virtual_schema", "system_metrics");

  /** Tables of nodes to which the proxy adds rows or whose rows it replaces. */
  private static final Map<String, Set<String>> SHARED_TABLES =
      Map.of(
          "system",
          Set.of("local", "peers", "peers_v2"),
          "system_virtual_schema",
          Set.of("keyspaces", "tables", "columns"));

  /**
   * The memory that a parsed text takes for each of its tokens. A literal and the comma after it
   * take 112 bytes.
   */
  private static final int BYTES_PER_TOKEN = 64;

  private final String cql;
  private final Cursor cursor;

  /** The first word; null when it is no keyword. */
  private final @Nullable Keyword first;

  private final SelectParser selects;
  private final ModificationParser modifications;
  private final @Nullable String sessionKeyspace;
  private final Catalog catalog;
  private final Partitioner partitioner;

  CqlSkimmer(
      String cql, @Nullable String sessionKeyspace, Catalog catalog, Partitioner partitioner) {
    this.cql = cql;
    this.cursor = new Cursor(cql);
    this.first = cursor.lexer().keyword();
    ExpressionParser expressions = new ExpressionParser(cursor, cql);
    RestrictionParser restrictions = new RestrictionParser(cursor, expressions);
    this.selects = new SelectParser(cursor, expressions, restrictions);
    this.modifications = new ModificationParser(cursor, expressions, restrictions);
    this.sessionKeyspace = sessionKeyspace;
    this.catalog = catalog;
    this.partitioner = partitioner;
  }

  /** Reads the whole text; throws {@link NotUnderstood}. */
  Verdict verdict() {
    if (first == null) {
      return accessControl();
    }
    return switch (first) {
      case SELECT -> read(whole(selects.select()));
      case INSERT, UPDATE, DELETE -> write(StatementShape.WRITE, whole(modifications.single()));
      case BEGIN -> write(StatementShape.WRITE, whole(modifications.batch()));
      case TRUNCATE -> write(StatementShape.TRUNCATE, whole(modifications.truncate()));
      case USE -> use();
      case CREATE, ALTER, DROP -> define();
      case DESCRIBE, DESC -> describe();
      case GRANT, REVOKE, ADD -> accessControl();
      default -> throw NotUnderstood.here();
    };
  }

  /** Returns the shape of the text if it is not understood. */
  StatementShape unknown() {
    if (first == null) {
      return StatementShape.OTHER;
    }
    return switch (first) {
      case SELECT -> StatementShape.UNKNOWN_SELECT;
      case INSERT, UPDATE, DELETE, BEGIN -> StatementShape.UNKNOWN_WRITE;
      default -> StatementShape.OTHER;
    };
  }

  /** Returns the digest of the whole text, whether or not it is understood. */
  long digest(boolean qualified) {
    long text = cursor.lexer().digest();
    return qualified || sessionKeyspace == null
        ? text
        : TextDigest.mixed(text ^ sessionKeyspace.hashCode());
  }

  private <T> T whole(T statement) {
    cursor.expectEnd();
    return statement;
  }

  private @Nullable String keyspaceOf(Select.TableReference table) {
    Name written = table.keyspace();
    return written == null ? sessionKeyspace : written.text();
  }

  private @Nullable Table lookUp(@Nullable String keyspace, Select.TableReference table) {
    return keyspace == null ? null : catalog.table(keyspace, table.table().text());
  }

  private Verdict read(Select select) {
    String keyspace = keyspaceOf(select.from());
    if (keyspace == null) {
      return unresolved(select, null, StatementShape.OTHER);
    }
    if (keyspace.equals(Classified.PROXY_KEYSPACE)) {
      return unresolved(select, keyspace, StatementShape.PROXY);
    }
    if (NODE_LOCAL_KEYSPACES.contains(keyspace)) {
      Set<String> shared = SHARED_TABLES.getOrDefault(keyspace, Set.of());
      StatementShape local =
          shared.contains(select.from().table().text())
              ? StatementShape.SYSTEM_LOCAL
              : StatementShape.NODE_LOCAL;
      return unresolved(select, keyspace, local);
    }
    Table table = lookUp(keyspace, select.from());
    List<Restriction> where = select.where().restrictions();
    KeyResolver.Resolved resolved =
        table == null ? unknownTable(where) : KeyResolver.resolve(table, where);
    List<TokenTerm> tokens =
        resolved.shape() == StatementShape.RANGE_READ
            ? KeyResolver.tokens(table, where, partitioner)
            : List.of();
    String known = table == null ? null : table.keyspace() + "." + table.name();
    return read(select, keyspace, known, resolved.shape(), resolved.key(), tokens);
  }

  /** Returns the verdict for a SELECT whose table is in no catalog. */
  private Verdict unresolved(Select select, @Nullable String keyspace, StatementShape shape) {
    return read(select, keyspace, null, shape, KeyTerms.UNKNOWN, List.of());
  }

  private static KeyResolver.Resolved unknownTable(List<Restriction> where) {
    boolean range =
        where.isEmpty() || where.stream().anyMatch(r -> r.subject() == Restriction.Subject.TOKEN);
    return new KeyResolver.Resolved(
        range ? StatementShape.RANGE_READ : StatementShape.OTHER, KeyTerms.UNKNOWN);
  }

  private Verdict read(
      Select select,
      @Nullable String keyspace,
      @Nullable String known,
      StatementShape shape,
      KeyTerms key,
      List<TokenTerm> tokens) {
    return new Verdict(
        shape,
        keyspace,
        select.from().table().text(),
        known,
        select.from().keyspace() != null,
        false,
        select.markers().size(),
        key,
        tokens,
        select,
        null,
        digest(select.from().keyspace() != null),
        parsedBytes());
  }

  /** Returns the approximate memory of the whole parsed text, with a copy of all its literals. */
  private long parsedBytes() {
    return (long) BYTES_PER_TOKEN * cursor.lexer().tokens() + 2L * cql.length();
  }

  private Verdict write(StatementShape shape, Modification write) {
    String keyspace = keyspaceOf(write.table());
    Table table = lookUp(keyspace, write.table());
    KeyTerms key =
        table == null || write.restrictions().isEmpty()
            ? KeyTerms.UNKNOWN
            : KeyResolver.resolve(table, write.restrictions()).key();
    boolean proxied = Classified.PROXY_KEYSPACE.equals(keyspace);
    boolean local = keyspace != null && NODE_LOCAL_KEYSPACES.contains(keyspace);
    return new Verdict(
        proxied ? StatementShape.PROXY : local ? StatementShape.NODE_LOCAL : shape,
        keyspace,
        write.table().table().text(),
        null,
        write.qualified(),
        write.conditional(),
        cursor.markers().size(),
        key,
        List.of(),
        null,
        proxied ? write.own() : null,
        digest(write.qualified()),
        proxied ? parsedBytes() : key.heapBytes());
  }

  /**
   * Reads USE. The keyspace of a text that is not understood is null, because a node may understand
   * it.
   */
  private Verdict use() {
    cursor.expect(Keyword.USE);
    Name keyspace = cursor.atName() ? cursor.name() : null;
    if (keyspace == null || !cursor.atEnd()) {
      return headOnly(StatementShape.USE, null, null, true);
    }
    return keyspace.text().equals(Classified.PROXY_KEYSPACE)
        ? own(null, new OwnStatement.Use())
        : headOnly(StatementShape.USE, keyspace.text(), null, true);
  }

  private Verdict describe() {
    DescribeParser parser = new DescribeParser(cursor, sessionKeyspace);
    OwnStatement described = parser.own();
    if (described instanceof OwnStatement.Describe own) {
      return own(own.name(), own);
    }
    return headOnly(
        described == null ? StatementShape.NODE_LOCAL : StatementShape.SYSTEM_LOCAL,
        null,
        null,
        parser.qualified(),
        described);
  }

  private Verdict accessControl() {
    boolean qualified = new AccessParser(cursor).qualified();
    return Verdict.notUnderstood(StatementShape.OTHER, qualified, digest(qualified));
  }

  private Verdict own(@Nullable String table, OwnStatement statement) {
    return new Verdict(
        StatementShape.PROXY,
        Classified.PROXY_KEYSPACE,
        table,
        null,
        true,
        false,
        0,
        KeyTerms.UNKNOWN,
        List.of(),
        null,
        statement,
        digest(true),
        0);
  }

  private Verdict define() {
    DefinitionParser.Definition definition = new DefinitionParser(cursor).definition();
    if (definition == null) {
      return accessControl();
    }
    boolean inSession = definition.keyspace() == null && definition.table() != null;
    String keyspace = inSession ? sessionKeyspace : definition.keyspace();
    return Classified.PROXY_KEYSPACE.equals(keyspace)
        ? own(definition.table(), new OwnStatement.Unsupported())
        : headOnly(StatementShape.SCHEMA, keyspace, definition.table(), definition.qualified());
  }

  private Verdict headOnly(
      StatementShape shape, @Nullable String keyspace, @Nullable String table, boolean qualified) {
    return headOnly(shape, keyspace, table, qualified, null);
  }

  private Verdict headOnly(
      StatementShape shape,
      @Nullable String keyspace,
      @Nullable String table,
      boolean qualified,
      @Nullable OwnStatement own) {
    return new Verdict(
        shape,
        keyspace,
        table,
        null,
        qualified,
        false,
        0,
        KeyTerms.UNKNOWN,
        List.of(),
        null,
        own,
        digest(qualified),
        0);
  }
}
