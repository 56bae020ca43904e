package io.sluice.offline;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.accept.ClientRequest;
import io.sluice.audit.AuditConfig;
import io.sluice.audit.AuditLog;
import io.sluice.decide.classify.SchemaText;
import io.sluice.decide.plan.Plan;
import io.sluice.decide.plan.PlanLine;
import io.sluice.decide.plan.ScatterPlanner;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.decide.predict.Densities;
import io.sluice.decide.rule.Rules;
import io.sluice.decide.schedule.NodeLimits;
import io.sluice.decide.schedule.Scheduler;
import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.exchange.ExchangeConfig;
import io.sluice.exchange.Hedges;
import io.sluice.exchange.NodeHealth;
import io.sluice.exchange.ProxyContext;
import io.sluice.exchange.ResponseHandler;
import io.sluice.exchange.RunningRequests;
import io.sluice.exchange.SchemaHomes;
import io.sluice.exchange.range.Plans;
import io.sluice.exchange.range.RangeReads;
import io.sluice.execute.dispatch.Dispatcher;
import io.sluice.memory.MemoryBudget;
import io.sluice.meter.HedgeMeters;
import io.sluice.meter.ProxyMeters;
import io.sluice.ring.Ring;
import io.sluice.ring.TableName;
import io.sluice.statement.Explain;
import io.sluice.statement.PreparedCache;
import io.sluice.statement.Statement;
import io.sluice.statement.StatementReader;
import io.sluice.time.NanoClock;
import io.sluice.usage.Usage;
import io.sluice.watch.NodePools;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.Frame;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * EXPLAIN without a cluster: plans a SELECT for idle model nodes that a schema and a few numbers
 * describe. The SELECT takes the path of a request up to the point where it would be queued.
 * Stateless.
 */
public final class OfflineExplain {

  private static final int PROTOCOL = 5;
  private static final long PREPARED_BYTES = 1 << 20;
  private static final int MEMORY_BYTES = 64 << 20;
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  private static final long MAX_PARTITIONS = 1_000_000_000_000L;

  private OfflineExplain() {}

  /**
   * The numbers that describe a cluster.
   *
   * @param nodes the number of nodes, 1 to 1,000
   * @param replicas copies of each row; 0 for the replication of the schema, or 3 where the schema
   *     has none
   * @param tokens tokens of each node, 1 to 1,024
   * @param partitions partitions of each table that {@code byTable} does not name; at least 0
   * @param byTable partitions of a table, by its name with its keyspace
   * @param partitionBytes mean size of a partition, in bytes; at least 1
   */
  public record Size(
      int nodes,
      int replicas,
      int tokens,
      long partitions,
      Map<String, Long> byTable,
      long partitionBytes) {

    public Size {
      byTable = Map.copyOf(byTable);
      within("nodes", nodes, 1, 1_000);
      within("replicas", replicas, 0, 1_000);
      within("tokens of a node", tokens, 1, 1_024);
      within("rows", partitions, 0, MAX_PARTITIONS);
      within("bytes of a row", partitionBytes, 1, Integer.MAX_VALUE);
      byTable.forEach((table, rows) -> within("rows of " + table, rows, 0, MAX_PARTITIONS));
    }

    private static void within(String what, long value, long least, long most) {
      if (value < least || value > most) {
        throw new IllegalArgumentException(
            value + " " + what + ": must be from " + least + " to " + most);
      }
    }

    /** Returns the number of copies of each row of a keyspace. */
    public int replicasOf(String keyspace, SchemaText schema) {
      int said = schema.replicas().getOrDefault(keyspace, 0);
      int wanted = replicas > 0 ? replicas : said > 0 ? said : 3;
      return Math.min(nodes, wanted);
    }

    /** Returns the number of partitions of a table. */
    public long partitionsOf(TableName table) {
      return byTable.getOrDefault(table.keyspace() + "." + table.name(), partitions);
    }
  }

  /**
   * A plan.
   *
   * @param assumed the assumptions of the plan, in words
   * @param columns the names of its columns
   * @param rows the cells of each line
   * @param json the assumptions and the lines as one JSON text
   */
  public record Answer(
      List<String> assumed, List<String> columns, List<List<String>> rows, String json) {}

  /**
   * Explains a SELECT.
   *
   * @param schema the tables, as {@link SchemaText#read} reads them
   * @param keyspace the keyspace of unqualified names; null for none
   * @param select its text, with or without EXPLAIN before it
   * @param pageSize rows of a page; 0 for no paging
   * @throws IllegalArgumentException when the statement is no SELECT, or not of one of these
   *     tables; the message says why
   */
  public static Answer explain(
      Size size, SchemaText schema, @Nullable String keyspace, String select, int pageSize) {
    NanoClock clock = () -> 0;
    ModelCluster cluster = new ModelCluster(size, schema);
    ProxyContext context = context(cluster, clock);
    Densities densities = new Densities((estimated, actual) -> {}, clock);
    densities.published(cluster.estimates());
    PreparedCache prepared = new PreparedCache(1, PREPARED_BYTES);
    ScatterPlanner planner = new ScatterPlanner(SplitConfig.defaults());
    RangeReads reads =
        new RangeReads(
            context,
            planner,
            densities,
            prepared,
            new MemoryBudget(MEMORY_BYTES),
            new SimpleMeterRegistry());
    StatementReader reader = new StatementReader(prepared, planner);
    ModelClient client = new ModelClient(PROTOCOL, keyspace);
    Frame frame = CqlCodec.query(PROTOCOL, explained(select), pageSize);
    try {
      Statement statement = reader.read(frame, client, cluster.view());
      check(statement, schema);
      ClientRequest request = new ClientRequest(frame, client, client);
      Plans plans = new Plans(context, reads);
      Plan plan = plans.plan(request, statement);
      List<PlanLine> lines = plans.lines(request, statement, plan);
      Assumed assumed = Assumed.of(size, schema, statement, pageSize);
      Ring ring = cluster.view().ring();
      return new Answer(
          assumed.words(),
          Explain.columns(),
          lines.stream().map(line -> Explain.cells(line, ring)).toList(),
          Explain.json(Map.of("assumed", assumed.values()), lines, ring));
    } catch (StatementReader.UnknownStatement e) {
      throw new IllegalStateException("a text needs no id", e);
    } finally {
      frame.release();
    }
  }

  private static String explained(String select) {
    return Explain.isExplain(select) ? select : "EXPLAIN " + select;
  }

  private static void check(Statement statement, SchemaText schema) {
    String refusal = Explain.refusal(statement);
    if (refusal != null) {
      throw new IllegalArgumentException(refusal);
    } else if (statement.explain() != null && statement.explain().analyze()) {
      throw new IllegalArgumentException(
          "EXPLAIN ANALYZE needs a cluster, because it runs the SELECT");
    }
    String keyspace = statement.classified().keyspace();
    String table = statement.classified().table();
    if (statement.classified().select() == null || table == null) {
      throw new IllegalArgumentException("This is no SELECT that Sluice understands");
    } else if (keyspace == null) {
      throw new IllegalArgumentException("The keyspace of " + table + " is not named");
    } else if (schema.table(keyspace, table) == null) {
      throw new IllegalArgumentException("The schema has no table " + keyspace + "." + table);
    }
  }

  /** The assumptions of a plan. */
  private record Assumed(Size size, TableName table, int replicas, long partitions, int pageSize) {

    static Assumed of(Size size, SchemaText schema, Statement statement, int pageSize) {
      TableName table =
          new TableName(
              Objects.requireNonNull(statement.classified().keyspace()),
              Objects.requireNonNull(statement.classified().table()));
      return new Assumed(
          size,
          table,
          size.replicasOf(table.keyspace(), schema),
          size.partitionsOf(table),
          pageSize);
    }

    List<String> words() {
      return List.of(
          String.format(
              Locale.ROOT,
              "%d idle nodes of one data centre with %d tokens each, which read %d at once",
              size.nodes(),
              size.tokens(),
              NodePools.DEFAULT.concurrentReads()),
          String.format(
              Locale.ROOT,
              "%d copies of each row; %,d partitions of one row in %s, %,d bytes each",
              replicas,
              partitions,
              table,
              size.partitionBytes()),
          (pageSize > 0 ? "pages of " + pageSize + " rows" : "no pages")
              + ", protocol "
              + PROTOCOL
              + ", Sluice's defaults, costs as first guessed");
    }

    Map<String, Object> values() {
      Map<String, Object> values = new LinkedHashMap<>();
      values.put("nodes", size.nodes());
      values.put("tokens", size.tokens());
      values.put("concurrent_reads", NodePools.DEFAULT.concurrentReads());
      values.put("replicas", replicas);
      values.put("table", table.toString());
      values.put("rows", partitions);
      values.put("row_bytes", size.partitionBytes());
      values.put("page_size", pageSize);
      values.put("protocol", PROTOCOL);
      return values;
    }
  }

  private static ProxyContext context(ModelCluster cluster, NanoClock clock) {
    SchedulingConfig scheduling = SchedulingConfig.defaults();
    Scheduler scheduler = new Scheduler(scheduling, clock);
    scheduler.nodes(
        cluster.view().ring().local().stream()
            .map(
                node ->
                    new NodeLimits(node.id(), cluster.view().pools(node.id()).concurrentReads()))
            .toList());
    NodeHealth health = new NodeHealth(scheduler::standing);
    SchemaHomes homes = new SchemaHomes(health);
    PreparedCache prepared = new PreparedCache(1, PREPARED_BYTES);
    StatementReader reader =
        new StatementReader(prepared, new ScatterPlanner(SplitConfig.defaults()));
    return new ProxyContext(
        new AtomicReference<>(
            new ExchangeConfig(null, scheduling, CONNECT_TIMEOUT, true, null, List.of())),
        clock,
        cluster,
        health,
        scheduler,
        new Dispatcher(
            (lane, node, key, waiter) -> {
              throw new IllegalStateException("nothing is sent");
            },
            prepared),
        new ResponseHandler(reader, cluster, new ProxyMeters(new SimpleMeterRegistry()), homes),
        homes,
        new RunningRequests(),
        new Hedges(clock, new HedgeMeters(new SimpleMeterRegistry())),
        new Usage(0, clock),
        new Rules(List.of(), clock),
        new AuditLog(AuditConfig.off(), () -> Instant.EPOCH),
        null);
  }
}
