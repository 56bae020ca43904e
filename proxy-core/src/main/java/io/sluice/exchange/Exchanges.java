package io.sluice.exchange;

import io.sluice.accept.ClientHandler;
import io.sluice.accept.ClientRequest;
import io.sluice.decide.PriorityClass;
import io.sluice.decide.plan.Plan;
import io.sluice.decide.plan.PlanLine;
import io.sluice.decide.schedule.Query;
import io.sluice.execute.dispatch.PreparedTexts.PreparedText;
import io.sluice.execute.reply.Failure;
import io.sluice.link.LinkPool;
import io.sluice.ring.NodeId;
import io.sluice.statement.Explain;
import io.sluice.statement.Statement;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.Frame;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Creates the exchanges of requests that are not split. The caller starts them. Safe for any
 * thread.
 */
public final class Exchanges {

  private final ProxyContext context;

  public Exchanges(ProxyContext context) {
    this.context = context;
  }

  /** Creates the exchange of a request that goes to one of {@code nodes} at once. */
  public Exchange forwarded(ClientRequest request, Statement statement, List<NodeId> nodes) {
    return new ForwardExchange(context, request, statement, nodes);
  }

  /** Creates the exchange of a read that waits in the queue of one replica. */
  public Exchange read(ClientRequest request, Statement statement, Plan.Queue plan) {
    return new ReadExchange(context, request, statement, plan);
  }

  /** Creates the exchange of a request that fails without a request to a node. */
  public Exchange refused(ClientRequest request, Statement statement, Failure failure) {
    return new RefusedExchange(context, request, statement, failure);
  }

  /** Creates the exchange of a USE that is not understood. A node checks its syntax. */
  public Exchange unclearUse(ClientRequest request, Statement statement, List<NodeId> nodes) {
    String cql = Objects.requireNonNull(statement.cql());
    return new UnclearUseExchange(context, request, statement, cql, nodes);
  }

  /**
   * Creates the exchange of a SELECT from a table whose rows come from a node and from the proxy.
   */
  public Exchange shared(
      ClientRequest request, Statement statement, List<NodeId> nodes, SharedTable table) {
    return new SharedTableExchange(context, request, statement, nodes, table);
  }

  /** Creates the exchange of a SELECT about the members of the cluster. */
  public Exchange members(ClientRequest request, Statement statement, List<NodeId> nodes) {
    InetSocketAddress connectedTo = request.client().connectedTo();
    return shared(request, statement, nodes, new MembersTable(context, connectedTo, statement));
  }

  /** Creates the exchange of an EXPLAIN. A node decides whether the client may run the SELECT. */
  public Exchange explained(
      ClientRequest request,
      Statement statement,
      List<NodeId> nodes,
      Supplier<List<PlanLine>> plan) {
    return new ExplainExchange(context, request, statement, nodes, plan);
  }

  /**
   * Returns the SELECT of an EXPLAIN ANALYZE as a request of the client. The client gets the record
   * of the read instead of its rows. Takes the request over.
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
   * Returns the plan of a read that is not split, with a forecast of its admission and wait.
   *
   * @param lines the lines of the plan; the first one describes the request
   */
  public List<PlanLine> forecast(
      ClientRequest request, Statement statement, Plan.Queue plan, List<PlanLine> lines) {
    Query query = ReadQuery.of(context, request, statement, plan, context.clock().nanoTime());
    Forecast forecast = new Forecast(context, request, query, context.ring(statement));
    List<PlanLine> all = new ArrayList<>();
    all.add(forecast.add(lines.get(0), query.rows()));
    all.addAll(lines.subList(1, lines.size()));
    all.add(forecast.classLine());
    all.addAll(forecast.queueLines());
    if (plan.priorityClass() == PriorityClass.RANGE) {
      all.add(forecast.agentLine(ReadQuery.hint(plan)));
    }
    all.add(forecast.admissionLine());
    return all;
  }

  /**
   * Starts a client's handshake with the first of {@code nodes} that can decide. Takes the frame
   * over.
   */
  public ClientHandler.Handshake handshake(
      LinkPool links, ClientRequest startup, Map<String, String> options, List<NodeId> nodes) {
    return ClientHandshake.start(
        context, links, startup, options, context.health().healthyFirst(nodes));
  }
}
