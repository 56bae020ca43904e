package io.sluice.exchange.range;

import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.accept.ClientRequest;
import io.sluice.decide.classify.Select;
import io.sluice.decide.plan.Density;
import io.sluice.decide.plan.Plan;
import io.sluice.decide.plan.PlanLine;
import io.sluice.decide.plan.Planner;
import io.sluice.decide.plan.Planner.PlanRequest;
import io.sluice.decide.plan.ResumePoint;
import io.sluice.decide.plan.ScatterPlan;
import io.sluice.decide.plan.ScatterPlan.Piece;
import io.sluice.decide.plan.ScatterPlan.Scatter;
import io.sluice.decide.plan.ScatterPlanner;
import io.sluice.decide.plan.Splittable;
import io.sluice.decide.plan.Splittable.Reason;
import io.sluice.decide.predict.Densities;
import io.sluice.decide.predict.TableDensity;
import io.sluice.decide.share.ScanSharing;
import io.sluice.exchange.Exchange;
import io.sluice.exchange.Exchanges;
import io.sluice.exchange.ProxyContext;
import io.sluice.execute.merge.ClientPagingState;
import io.sluice.execute.merge.Merger;
import io.sluice.execute.merge.StatementDigest;
import io.sluice.execute.reply.Failure;
import io.sluice.memory.MemoryBudget;
import io.sluice.meter.SplitMeters;
import io.sluice.ring.NodeId;
import io.sluice.ring.Partitioner;
import io.sluice.ring.Table;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import io.sluice.statement.PreparedCache;
import io.sluice.statement.RangeStatement;
import io.sluice.statement.Statement;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.ForwardedPiece;
import io.sluice.wire.Frame;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides for each range read whether it goes to one node as a whole, or in pieces to their
 * replicas, and creates its exchange. Safe for any thread.
 */
public final class RangeReads {

  /**
   * The digest of EXPLAIN, which makes no paging state, and of guests, for which a node makes it.
   */
  private static final StatementDigest NO_STATE = new StatementDigest(0, 0);

  private final ProxyContext context;
  private final Exchanges exchanges;
  private final RangeContext split;

  /** The collaborators for pieces of other proxies, which are not forwarded again. */
  private final RangeContext guests;

  private final Planner planner = new Planner();

  /**
   * Creates range reads that wait at this proxy only.
   *
   * @param memory while more than half of it is used, pieces neither read ahead nor share scans
   * @param registry receives the metrics
   */
  public RangeReads(
      ProxyContext context,
      ScatterPlanner planner,
      Densities densities,
      PreparedCache prepared,
      MemoryBudget memory,
      MeterRegistry registry) {
    this(context, planner, densities, prepared, memory, registry, null);
  }

  /**
   * Creates range reads whose pieces may wait at other proxies, and other proxies' pieces here.
   *
   * @param homes the home proxies; null without
   */
  public RangeReads(
      ProxyContext context,
      ScatterPlanner planner,
      Densities densities,
      PreparedCache prepared,
      MemoryBudget memory,
      MeterRegistry registry,
      @Nullable PieceHomes homes) {
    this.context = context;
    this.exchanges = new Exchanges(context);
    BufferBudget budget = new BufferBudget(planner.config().maxBufferedBytes(), memory);
    this.split =
        new RangeContext(
            planner,
            densities,
            new PiecePreparer(context.dispatcher(), prepared),
            new ScanSharing<>(),
            budget,
            new SplitMeters(registry, budget::used),
            homes);
    this.guests = split.atHome();
  }

  /**
   * Returns the piece that another proxy asks for with a request. Returns null without a piece, or
   * without proof that the sender is a proxy; the request is then an ordinary client's.
   */
  public @Nullable ForwardedPiece forwarded(Frame request) {
    ForwardedPiece piece = split.homes() == null ? null : ForwardedPiece.of(request);
    return piece != null && context.config().homes().isProof(piece.proof()) ? piece : null;
  }

  /**
   * Creates the exchange of a piece that another proxy asks for.
   *
   * @param request the client's request without the piece
   * @return the exchange, not started
   */
  public Exchange guest(ClientRequest request, Statement statement, ForwardedPiece piece) {
    RangeStatement range = statement.range();
    PageContext page = range == null ? null : guest(request, statement, range, piece);
    String refusal = request.client().rangeRefusal();
    if (page == null || refusal != null) {
      String why = refusal == null ? "This proxy cannot read the piece" : refusal;
      return exchanges.refused(request, statement, new Failure.Overloaded(why));
    }
    Objects.requireNonNull(split.homes()).meters().guest();
    return new GuestPiece(context, request, statement, page, piece);
  }

  private @Nullable PageContext guest(
      ClientRequest request, Statement statement, RangeStatement range, ForwardedPiece asked) {
    Partitioner partitioner = context.view().ring().partitioner();
    Token after = asked.after() == null ? null : partitioner.fromValue(asked.after());
    Token upTo = asked.upTo() == null ? null : partitioner.fromValue(asked.upTo());
    boolean sound =
        (asked.after() == null) == (after == null) && (asked.upTo() == null) == (upTo == null);
    if (!sound || context.view().ring().node(new NodeId(asked.node())) == null) {
      return null;
    }
    List<NodeId> nodes = List.of(new NodeId(asked.node()));
    Piece piece = new Piece(new TokenRange(after, upTo), nodes, asked.expectedRows());
    RangePage page = page(request, statement, range, NO_STATE, null);
    Scatter plan =
        ScatterPlanner.only(
            range.split(),
            page.asked(partitioner).asked(),
            new ScatterPlan.SubRequest(piece, asked.rows()),
            partitioner.minimum());
    TableDensity density = density(page);
    return plan == null || density == null
        ? null
        : PageContext.ofGuest(context, guests, page, plan, density, asked);
  }

  /**
   * Plans a range read.
   *
   * @param whole the plan of a read that is not split
   * @param again plans the request again, with the current view
   * @return the exchange, not started
   */
  public Exchange exchange(
      ClientRequest request,
      Statement statement,
      RangeStatement range,
      Plan.Queue whole,
      Supplier<Exchange> again) {
    ByteBuffer state = range.parameters().pagingState();
    if (state == null && range.split() instanceof Splittable.Whole refused) {
      return whole(request, statement, whole, refused.reason());
    } else if (state == null && !range.columnsAreCurrent()) {
      return whole(request, statement, whole, Reason.COLUMNS_CHANGED);
    } else if (range.repeatsLargeValues(select(statement))) {
      // Before the digest. No read with such values was split, so a paging state is a node's.
      return whole(request, statement, whole, Reason.REPEATED_VALUES);
    }
    StatementDigest digest = null;
    ResumePoint from = null;
    if (state != null) {
      digest = range.digest(select(statement));
      ClientPagingState read = Merger.readState(state, digest, minimum());
      if (read instanceof ClientPagingState.Sound sound) {
        from = sound.point();
      } else if (read instanceof ClientPagingState.Foreign) {
        return whole(request, statement, whole, Reason.PAGING_STATE_OF_A_NODE);
      } else {
        return exchanges.refused(request, statement, invalid(pagingStateError(read)));
      }
    }
    return exchange(request, page(request, statement, range, digest, from), whole, again);
  }

  private RangePage page(
      ClientRequest request,
      Statement statement,
      RangeStatement range,
      @Nullable StatementDigest digest,
      @Nullable ResumePoint from) {
    long now = context.clock().nanoTime();
    return new RangePage(request.client(), request.frame(), statement, range, digest, from, now);
  }

  /**
   * Explains the plan of the first page of a range read, with a forecast.
   *
   * @param whole the plan of a read that is not split
   */
  public List<PlanLine> explain(
      ClientRequest request, Statement statement, RangeStatement range, Plan.Queue whole) {
    RangePage page = page(request, statement, range, NO_STATE, null);
    ScatterPlan plan = plan(page);
    Table table = table(statement);
    TableDensity density = table == null ? null : split.densities().of(table, range.split());
    ScatterPlanner.ClusterKnowledge known =
        density == null
            ? new ScatterPlanner.ClusterKnowledge(context.ring(statement), Density.UNKNOWN, 0)
            : split.known(context, statement, density);
    if (plan instanceof Scatter scatter && density != null) {
      List<PlanLine> lines = split.planner().explain(plan, whole, known);
      PageContext split = PageContext.of(context, this.split, page, scatter, density, null);
      return new ScatterForecast(split, request).lines(lines);
    }
    Reason reason =
        plan instanceof Splittable.Whole refused ? refused.reason() : Reason.UNKNOWN_TABLE;
    Plan.Queue bounded = bounded(statement, whole, reason);
    List<PlanLine> lines = new ArrayList<>(split.planner().explain(plan, bounded, known));
    lines.add(ScatterForecast.estimates(density));
    return exchanges.forecast(request, statement, bounded, lines);
  }

  private static Select select(Statement statement) {
    return Objects.requireNonNull(statement.classified().select());
  }

  private Token minimum() {
    return context.view().ring().partitioner().minimum();
  }

  private static String pagingStateError(ClientPagingState state) {
    return state instanceof ClientPagingState.Damaged damaged
        ? "Invalid paging state: " + damaged.what() + "; start again from the first page"
        : "Invalid paging state: it was given for another statement or other values";
  }

  private Exchange exchange(
      ClientRequest request, RangePage page, Plan.Queue whole, Supplier<Exchange> again) {
    ScatterPlan plan = plan(page);
    if (plan instanceof Scatter scatter) {
      split.meters().scattered();
      return new ScatterExchange(context, request, page, scatter, this);
    }
    Reason reason = ((Splittable.Whole) plan).reason();
    Statement statement = page.statement();
    if (page.from() == null) {
      return whole(request, statement, whole, reason);
    }
    Failure failure =
        invalid(
            "Invalid paging state: the statement can no longer be split ("
                + reason
                + "); start again from the first page");
    return reason == Reason.UNKNOWN_TABLE
        ? new LateTableExchange(
            context, request, statement, () -> table(statement) != null, again, failure)
        : exchanges.refused(request, statement, failure);
  }

  private ScatterPlan plan(RangePage page) {
    if (context.config().onlyPasses() && page.from() == null) {
      return new Splittable.Whole(Reason.SWITCHED_OFF);
    } else if (page.frame().tracing() && page.from() == null) {
      return new Splittable.Whole(Reason.TRACED);
    } else if (page.range().serial()) {
      return new Splittable.Whole(Reason.SERIAL);
    } else if (page.range().valuesInDoubt(page.statement().classified())) {
      return new Splittable.Whole(Reason.VALUES_IN_DOUBT);
    } else if (page.range().repeatsLargeValues(select(page.statement()))) {
      return new Splittable.Whole(Reason.REPEATED_VALUES);
    }
    ScatterPlanner.Page asked = page.asked(context.view().ring().partitioner());
    if (split.planner().isSmall(page.range().split(), asked)) {
      return new Splittable.Whole(Reason.SMALL);
    }
    TableDensity density = density(page);
    return density == null
        ? new Splittable.Whole(Reason.UNKNOWN_TABLE)
        : split
            .planner()
            .plan(page.range().split(), asked, split.known(context, page.statement(), density));
  }

  private @Nullable TableDensity density(RangePage page) {
    Table table = table(page.statement());
    if (table == null) {
      return null;
    }
    TableDensity density = split.densities().of(table, page.range().split());
    if (!density.known()) {
      context.cluster().estimatesWanted(table.keyspace(), table.name());
    }
    return density;
  }

  /** Plans a page again; null when it can no longer be split. */
  @Nullable Scatter scatter(RangePage page) {
    return plan(page) instanceof Scatter scatter ? scatter : null;
  }

  /** Creates a page that reads each piece at its replicas. The caller starts it. */
  PageRead read(RangePage page, Scatter plan, PageOutcome outcome) {
    return read(page, plan, outcome, null);
  }

  /**
   * Creates a page that reads all pieces at one node, so that all rows have the same columns. The
   * caller starts it.
   */
  PageRead readAtOneNode(RangePage page, Scatter plan, PageOutcome outcome) {
    List<NodeId> nodes = Planner.homeFirst(page.client().id(), context.ring(page.statement()));
    List<NodeId> healthy = context.health().healthyFirst(nodes);
    return read(page, plan, outcome, healthy.isEmpty() ? null : healthy.get(0));
  }

  private PageRead read(RangePage page, Scatter plan, PageOutcome outcome, @Nullable NodeId only) {
    TableDensity density = density(page);
    if (density == null) {
      throw new IllegalStateException("planned without a table");
    }
    return new PageRead(PageContext.of(context, split, page, plan, density, only), outcome);
  }

  /** Whether no piece is queued that may share a scan, and no memory is taken. */
  public boolean isIdle() {
    return split.sharing().isEmpty() && split.budget().used() == 0;
  }

  /**
   * Creates the exchange of a read whose pieces fail for this reason. Its first page goes to one
   * node as the client wrote it.
   *
   * @return the exchange, not started
   */
  Exchange whole(ClientRequest request, Statement statement, Reason reason) {
    PlanRequest asked =
        new PlanRequest(
            statement.classified(),
            statement.values(),
            statement.pageSize(),
            request.client().id());
    return planner.plan(asked, context.ring(statement)) instanceof Plan.Queue whole
        ? whole(request, statement, whole, reason)
        : exchanges.refused(
            request, statement, new Failure.Unreachable("No node of the cluster is known"));
  }

  private Exchange whole(
      ClientRequest request, Statement statement, Plan.Queue plan, Reason reason) {
    split.meters().whole(reason);
    return exchanges.read(request, statement, bounded(statement, plan, reason));
  }

  private Plan.Queue bounded(Statement statement, Plan.Queue plan, Reason reason) {
    return reason == Reason.SMALL ? plan : plan.atMost(expectedRows(statement, plan));
  }

  /** Estimates the rows of a read that is not split from the table's density. */
  private double expectedRows(Statement statement, Plan.Queue plan) {
    RangeStatement range = statement.range();
    Table table = range == null ? null : table(statement);
    if (range == null || table == null) {
      return plan.rows();
    }
    Token start = statement.classified().startToken(statement.values());
    TokenRange read = new TokenRange(start == null || start.isMinimum() ? null : start, null);
    return split.densities().of(table, range.split()).expected(read, plan.rows());
  }

  private @Nullable Table table(Statement statement) {
    return statement.classified().table(context.view().catalog());
  }

  private static Failure invalid(String message) {
    return new Failure.Refused(ErrorCode.INVALID, message);
  }
}
