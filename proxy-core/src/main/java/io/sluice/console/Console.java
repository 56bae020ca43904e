package io.sluice.console;

import io.sluice.accept.ClientFacts;
import io.sluice.accept.ClientRequest;
import io.sluice.audit.AuditLog;
import io.sluice.console.HostView.Configuration;
import io.sluice.decide.classify.BoundValues;
import io.sluice.decide.classify.Classified;
import io.sluice.decide.classify.Classifier;
import io.sluice.decide.classify.Expression;
import io.sluice.decide.classify.OwnStatement.Describe;
import io.sluice.decide.classify.OwnStatement.DescribeAll;
import io.sluice.decide.classify.OwnStatement.Described;
import io.sluice.decide.classify.Restriction;
import io.sluice.decide.classify.Select;
import io.sluice.decide.predict.Densities;
import io.sluice.decide.shadow.ShadowState;
import io.sluice.exchange.Exchange;
import io.sluice.exchange.ProxyContext;
import io.sluice.exchange.SharedTable;
import io.sluice.execute.table.NotAnswerable;
import io.sluice.execute.table.SmallTable;
import io.sluice.execute.table.TablePage;
import io.sluice.execute.table.TableQuery;
import io.sluice.link.LinkFacts;
import io.sluice.statement.PreparedCache.PreparedFacts;
import io.sluice.statement.Statement;
import io.sluice.time.Lane;
import io.sluice.time.WallClock;
import io.sluice.watch.ClusterView;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The keyspace {@code system_proxy}: virtual tables with the state of the proxy. The proxy answers
 * statements about it itself, without a wait. Safe for any thread.
 */
public final class Console {

  private final ProxyContext context;
  private final Map<String, ConsoleTable<?>> tables = new LinkedHashMap<>();
  private final OwnSchema schema;
  private final OwnDescription description;
  private final Operators operators;
  private final SettingChange settings;

  /** Logs the reload whose settings were applied last. */
  private volatile AuditLog.@Nullable Changes reload;

  /**
   * The sources of the tables' rows.
   *
   * @param clients returns the connections of clients, once, on the given lane
   * @param links returns the connections to nodes, in the same way
   * @param prepared the statements that clients have prepared
   * @param densities the nodes' estimates of tables
   * @param shadow what the scheduler would do
   * @param host the facts that the process's host knows
   * @param time the time of day
   */
  public record Sources(
      BiConsumer<Lane, Consumer<List<ClientFacts>>> clients,
      BiConsumer<Lane, Consumer<List<LinkFacts>>> links,
      Supplier<List<PreparedFacts>> prepared,
      Densities densities,
      Supplier<List<ShadowState>> shadow,
      HostView host,
      WallClock time) {}

  public Console(ProxyContext context, ConsoleConfig config, Sources sources) {
    this.context = context;
    this.operators = new Operators(context, config);
    this.settings = new SettingChange(context, operators, sources.host());
    ConsoleTables.of(context, sources, settings)
        .forEach(table -> tables.put(table.shape().name(), table));
    var shapes = tables.values().stream().map(ConsoleTable::shape).toList();
    this.schema = new OwnSchema(shapes);
    this.description = new OwnDescription(shapes);
  }

  /**
   * Returns an exchange that answers a statement about {@code system_proxy}. The caller starts it.
   */
  public Exchange exchange(ClientRequest request, Statement statement) {
    return new ConsoleExchange(context, request, statement, this);
  }

  /**
   * Runs a SELECT as an operator.
   *
   * @param select a SELECT from a table of this keyspace, without values to bind
   * @param then called once, with a JSON array that has one object for each row: on the calling
   *     thread if the rows are available at once, otherwise on {@code lane}
   * @throws IllegalArgumentException when the text is not such a SELECT
   */
  public void json(String select, Lane lane, Consumer<String> then) {
    ClusterView view = context.view();
    Classified asked =
        new Classifier().classify(select, null, view.catalog(), view.ring().partitioner());
    String name = asked.table();
    ConsoleTable<?> table = name == null ? null : tables.get(name);
    if (table == null || asked.select() == null) {
      throw new IllegalArgumentException(select);
    }
    table.rows(Asker.operator(lane), all -> then.accept(json(asked, all)));
  }

  private static String json(Classified asked, SmallTable all) {
    try {
      TablePage page = TableQuery.page(asked, BoundValues.NONE, all, TablePage.PageRequest.ALL);
      return new SmallTable(page.rows(), List.of()).json();
    } catch (NotAnswerable e) {
      throw new IllegalArgumentException(e);
    }
  }

  /**
   * Ends a request in flight for an operator that is not a client.
   *
   * @param operator the operator, for the request's client and for the log
   * @param then called once, on {@code lane}, with whether the request was still in flight
   */
  public void end(long request, String operator, Lane lane, Consumer<Boolean> then) {
    new RequestEnd(context.running(), context.audit())
        .end(Set.of(request), operator, lane, ended -> then.accept(ended > 0));
  }

  /**
   * Changes a setting for an operator that is not a client. Blocks while other settings are
   * changed.
   *
   * @param value the value as in the configuration file; null restores the file's value
   * @param operator the operator, for the log
   * @return the reason why the change is refused; null on success
   */
  public @Nullable String set(String key, @Nullable String value, String operator) {
    return settings.change(key, value, operator);
  }

  /** Applies the settings of a configuration file that was read again. */
  public void apply(LiveConfig next) {
    reload = context.audit().changes();
    settings.apply(next);
  }

  /** Writes to the audit log that the configuration file was read again. */
  public void reloaded(Configuration now) {
    AuditLog.Changes applied = reload;
    reload = null;
    if (now.error() != null || !now.changed().isEmpty()) {
      AuditLog.Changes log = applied == null ? context.audit().changes() : applied;
      log.changed(now.readFor(), "file", now.file(), now.changed(), now.error());
    }
  }

  /** Returns the table with that name; null if there is none. */
  @Nullable ConsoleTable<?> table(String name) {
    return tables.get(name);
  }

  OwnDescription description() {
    return description;
  }

  Operators operators() {
    return operators;
  }

  /**
   * Whether the proxy's rows can be added to a node's answer. If not, the client gets the node's
   * answer unchanged: the proxy sorts and filters like a node only if the primary key is compared.
   *
   * @param statement a SELECT from a table that nodes and the proxy have in common, or a DESCRIBE
   */
  public static boolean addsTo(Classified statement) {
    if (statement.own() instanceof DescribeAll) {
      return true;
    }
    Select select = statement.select();
    List<String> key = statement.table() == null ? null : OwnSchema.KEYS.get(statement.table());
    return OwnSchema.VIRTUAL_SCHEMA.equals(statement.keyspace())
        && key != null
        && select != null
        && select.groupBy().isEmpty()
        && select.orderBy().isEmpty()
        && select.limits().perPartition() == null
        && !select.projection().distinct()
        && select.projection().selectors().stream().allMatch(each -> isPlain(each.value()))
        && comparesFirst(key, select.where().restrictions());
  }

  private static boolean isPlain(Expression selected) {
    return switch (selected.kind()) {
      case STAR, COLUMN -> true;
      case FUNCTION -> "count".equals(selected.name());
      default -> false;
    };
  }

  private static boolean comparesFirst(List<String> key, List<Restriction> where) {
    List<String> compared = where.stream().flatMap(each -> each.columns().stream()).toList();
    return where.stream().allMatch(Console::isEquality)
        && compared.size() <= key.size()
        && compared.containsAll(key.subList(0, compared.size()));
  }

  private static boolean isEquality(Restriction restriction) {
    return restriction.subject() == Restriction.Subject.COLUMN
        && switch (restriction.operator()) {
          case EQ, IN, IN_MARKER -> true;
          default -> false;
        };
  }

  /** Returns a node's table with the rows of {@code system_proxy} added. */
  public SharedTable schemaTable(ClientRequest request, Statement statement) {
    return statement.classified().own() instanceof DescribeAll all
        ? new DescribedSchema(description, request.frame(), all)
        : new SchemaTable(schema, request.frame(), statement);
  }

  /**
   * Whether the proxy answers a statement about its keyspace. A node answers DESCRIBE of a bare
   * name that is no table of the keyspace in use, since it may be a keyspace.
   */
  public boolean answers(Statement statement) {
    return statement.explained()
        || !(statement.classified().own() instanceof Describe asked)
        || asked.what() != Described.ELEMENT
        || description.has(asked.name());
  }
}
