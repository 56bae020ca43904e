package io.sluice.exchange;

import io.sluice.accept.ClientHandler;
import io.sluice.accept.ClientRequest;
import io.sluice.decide.PriorityClass;
import io.sluice.decide.plan.Plan;
import io.sluice.decide.plan.PlanLine;
import io.sluice.decide.schedule.Query;
import io.sluice.execute.dispatch.PreparedText;
import io.sluice.execute.reply.Failure;
import io.sluice.link.LinkPool;
import io.sluice.ring.NodeId;
import io.sluice.statement.Explain;
import io.sluice.statement.Statement;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.Frame;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Makes the exchanges of requests that are not split, none of which is started. Safe for any
 * thread.
 */
public final class Exchanges {

  private final ProxyContext context;

  public Exchanges(ProxyContext context) {
    this.context = context;
  }

  /** A request that is sent at once, to one of {@code nodes}. */
  public Exchange forwarded(ClientRequest request, Statement statement, List<NodeId> nodes) {
    return new ForwardExchange(context, request, statement, nodes);
  }

  /** A read that waits for its turn at one replica. */
  public Exchange read(ClientRequest request, Statement statement, Plan.Queue plan) {
    return new ReadExchange(context, request, statement, plan);
  }

  /** A request that no node is asked for. */
  public Exchange refused(ClientRequest request, Statement statement, Failure failure) {
    return new RefusedExchange(context, request, statement, failure);
  }

  /** A question about a table whose rows nodes and the proxy know together. */
  public Exchange shared(
      ClientRequest request, Statement statement, List<NodeId> nodes, SharedTable table) {
    return new SharedTableExchange(context, request, statement, nodes, table);
  }

  /** A question about the members of the cluster. */
  public Exchange members(ClientRequest request, Statement statement, List<NodeId> nodes) {
    return shared(request, statement, nodes, MembersTable.of(context, request, statement));
  }

  /** EXPLAIN, which a node that is asked whether the client may run the SELECT may refuse. */
  public Exchange explained(
      ClientRequest request,
      Statement statement,
      List<NodeId> nodes,
      Supplier<List<PlanLine>> plan) {
    return new ExplainExchange(context, request, statement, nodes, plan);
  }

  /**
   * The SELECT of an EXPLAIN ANALYZE, as if the client had sent it alone; what it takes is answered
   * in the place of its rows. Takes the request over.
   */
  public ClientRequest analyzed(ClientRequest request, Statement statement) {
    PreparedText text = Objects.requireNonNull(statement.prepares());
    Explain.Options options = Objects.requireNonNull(statement.explain());
    Analysis analysis =
        new Analysis(
            request.replyTo(),
            () -> context.view().ring(),
            context.clock(),
            options.json(),
            statement.pageSize());
    Frame select = CqlCodec.withText(request.frame(), text.cql());
    request.frame().release();
    return new ClientRequest(select, request.client(), analysis);
  }

  /**
   * The lines of a read that is not split, and what would become of it now.
   *
   * @param lines those of its plan; the first is that of its one request
   */
  public List<PlanLine> forecast(
      ClientRequest request, Statement statement, Plan.Queue plan, List<PlanLine> lines) {
    Query query = ReadExchange.query(context, request, statement, plan, context.clock().nanoTime());
    Forecast forecast = new Forecast(context, request, query);
    List<PlanLine> all = new ArrayList<>();
    all.add(forecast.withWork(lines.get(0), plan.rows()));
    all.addAll(lines.subList(1, lines.size()));
    all.add(forecast.classLine());
    all.addAll(forecast.queueLines());
    if (plan.priorityClass() == PriorityClass.RANGE) {
      all.add(forecast.agentLine(ReadExchange.hint(plan)));
    }
    all.add(forecast.admissionLine());
    return all;
  }

  /** A client's handshake with the first of {@code nodes} that can decide; takes the frame over. */
  public ClientHandler.Handshake handshake(
      LinkPool links, ClientRequest startup, Map<String, String> options, List<NodeId> nodes) {
    return ClientHandshake.start(
        context, links, startup, options, context.health().healthyFirst(nodes));
  }
}
