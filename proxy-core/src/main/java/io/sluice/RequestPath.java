package io.sluice;

import io.sluice.accept.Client;
import io.sluice.accept.ClientHandler;
import io.sluice.accept.ClientRequest;
import io.sluice.decide.plan.Asked;
import io.sluice.decide.plan.Plan;
import io.sluice.decide.plan.PlanLine;
import io.sluice.decide.plan.Planner;
import io.sluice.exchange.ClientHandshake;
import io.sluice.exchange.ExpectedWaits;
import io.sluice.exchange.ExplainExchange;
import io.sluice.exchange.ForwardExchange;
import io.sluice.exchange.MembersExchange;
import io.sluice.exchange.ProxyContext;
import io.sluice.exchange.ReadExchange;
import io.sluice.exchange.range.RangeReads;
import io.sluice.execute.members.Members;
import io.sluice.execute.reply.Failure;
import io.sluice.link.LinkPool;
import io.sluice.ring.NodeId;
import io.sluice.statement.Explain;
import io.sluice.statement.RangeStatement;
import io.sluice.statement.Statement;
import io.sluice.statement.StatementReader;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import java.util.List;
import java.util.Map;

/** The path: classify, plan, schedule, dispatch, reply. Knows all context; decides nothing. */
public final class RequestPath implements ClientHandler {

  static final List<String> COMPRESSION = List.of("snappy", "lz4");
  static final List<String> VERSIONS = List.of("3/v3", "4/v4", "5/v5");

  private final ProxyContext context;
  private final LinkPool links;
  private final StatementReader reader;
  private final Planner planner = new Planner();
  private final RangeReads rangeReads;
  private final EventHub events;

  RequestPath(
      ProxyContext context,
      LinkPool links,
      StatementReader reader,
      RangeReads rangeReads,
      EventHub events) {
    this.context = context;
    this.links = links;
    this.reader = reader;
    this.rangeReads = rangeReads;
    this.events = events;
  }

  @Override
  public void handle(ClientRequest request) {
    Client client = request.client();
    try {
      Statement statement = reader.read(request.frame(), client, context.view());
      Asked asked =
          new Asked(statement.shape(), statement.values(), statement.pageSize(), client.id());
      Plan plan = planner.plan(asked, context.view().ring());
      if (statement.explained()) {
        explain(request, statement, plan);
      } else {
        follow(request, statement, plan);
      }
    } catch (StatementReader.UnknownStatement e) {
      request.frame().release();
      request.replyTo().reply(CqlCodec.unprepared(client.version(), e.id()));
    }
  }

  private void follow(ClientRequest request, Statement statement, Plan plan) {
    if (plan instanceof Plan.Refuse refuse) {
      request.frame().release();
      context
          .answers()
          .fail(request, statement, new Failure.Unreachable(refuse.refusal().message()));
    } else if (statement.prepares() != null) {
      forward(request, statement, Planner.home(request.client().id(), context.view().ring()));
    } else if (plan instanceof Plan.Queue queue && statement.range() != null) {
      rangeReads.start(request, statement, statement.range(), queue);
    } else if (plan instanceof Plan.Queue queue) {
      new ReadExchange(context, request, statement, queue).start();
    } else if (plan instanceof Plan.Forward forward) {
      forward(request, statement, forward.nodes());
    } else if (plan instanceof Plan.Members members) {
      members(request, statement, members.nodes());
    }
  }

  private void explain(ClientRequest request, Statement statement, Plan plan) {
    String refusal = Explain.refusal(statement);
    if (plan instanceof Plan.Refuse) {
      follow(request, statement, plan);
    } else if (refusal != null) {
      request.frame().release();
      context.answers().fail(request, statement, new Failure.Refused(ErrorCode.INVALID, refusal));
    } else {
      List<NodeId> nodes = Planner.home(request.client().id(), context.view().ring());
      new ExplainExchange(context, request, statement, nodes, () -> lines(request, statement, plan))
          .start();
    }
  }

  private List<PlanLine> lines(ClientRequest request, Statement statement, Plan plan) {
    if (!(plan instanceof Plan.Queue queue)) {
      return plan.explain();
    }
    RangeStatement range = statement.range();
    List<PlanLine> lines =
        range != null
            ? rangeReads.explain(request, statement, range, queue)
            : plan.explain();
    return ExpectedWaits.after(lines, queue.priorityClass(), context.scheduler());
  }

  private void members(ClientRequest request, Statement statement, List<NodeId> nodes) {
    if (Members.concerns(statement.shape())) {
      new MembersExchange(context, request, statement, nodes).start();
    } else {
      forward(request, statement, nodes);
    }
  }

  private void forward(ClientRequest request, Statement statement, List<NodeId> nodes) {
    new ForwardExchange(context, request, statement, nodes).start();
  }

  @Override
  public Map<String, List<String>> supported() {
    return Map.of(
        "CQL_VERSION", List.of(context.cluster().cqlVersion()),
        "COMPRESSION", COMPRESSION,
        "PROTOCOL_VERSIONS", VERSIONS);
  }

  @Override
  public Handshake startup(ClientRequest startup, Map<String, String> options) {
    return ClientHandshake.start(
        context,
        links,
        startup,
        options,
        context.health().healthyFirst(Planner.home(startup.client().id(), context.view().ring())));
  }

  @Override
  public void registered(Client client) {
    events.registered(client);
  }

  @Override
  public void gone(Client client) {
    events.gone(client);
  }
}
