package io.sluice;

import io.sluice.accept.Client;
import io.sluice.accept.ClientHandler;
import io.sluice.accept.ClientRequest;
import io.sluice.console.Console;
import io.sluice.decide.PriorityClass;
import io.sluice.decide.plan.Plan;
import io.sluice.decide.plan.Planner;
import io.sluice.decide.rule.Ruling;
import io.sluice.exchange.ClientRules;
import io.sluice.exchange.Exchange;
import io.sluice.exchange.Exchanges;
import io.sluice.exchange.ProxyContext;
import io.sluice.exchange.SharedTable;
import io.sluice.exchange.range.Plans;
import io.sluice.exchange.range.RangeReads;
import io.sluice.execute.members.Members;
import io.sluice.execute.reply.Failure;
import io.sluice.link.LinkPool;
import io.sluice.meter.ProxyMeters.RefusalReason;
import io.sluice.ring.NodeId;
import io.sluice.statement.Explain;
import io.sluice.statement.Statement;
import io.sluice.statement.StatementReader;
import io.sluice.wire.Compression;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.ForwardedPiece;
import io.sluice.wire.Frame;
import io.sluice.wire.ProtocolError;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The request path: classify, plan, schedule, dispatch, reply. It connects the rooms and makes no
 * decision of its own.
 */
final class RequestPath implements ClientHandler {

  /**
   * A version that every Cassandra accepts in a STARTUP. Drivers refuse a SUPPORTED message without
   * a version.
   */
  static final String ANY_CQL_VERSION = "3.0.0";

  private final ProxyContext context;
  private final Exchanges exchanges;
  private final ClientRules rules;
  private final LinkPool links;
  private final StatementReader reader;
  private final Plans plans;
  private final RangeReads rangeReads;
  private final EventHub events;
  private final Console console;

  RequestPath(
      ProxyContext context,
      LinkPool links,
      StatementReader reader,
      RangeReads rangeReads,
      EventHub events,
      Console console) {
    this.context = context;
    this.exchanges = new Exchanges(context);
    this.rules = new ClientRules(context);
    this.links = links;
    this.reader = reader;
    this.rangeReads = rangeReads;
    this.plans = new Plans(context, rangeReads);
    this.events = events;
    this.console = console;
  }

  @Override
  public void handle(ClientRequest received) {
    Reading reading = new Reading(received);
    Exchange exchange;
    try {
      ForwardedPiece piece = rangeReads.forwarded(received.frame());
      if (piece != null) {
        guest(received, piece);
        return;
      }
      Statement statement = reading.read();
      exchange = exchange(reading.request, statement, plans.plan(reading.request, statement));
    } catch (StatementReader.UnknownStatement e) {
      unprepared(reading.request, e);
      return;
    } catch (ProtocolError e) {
      throw e;
    } catch (RuntimeException | Error e) {
      context.answers().refuse(reading.request, reading.statement, e);
      return;
    }
    exchange.start();
  }

  /**
   * A request and its statement, as EXPLAIN ANALYZE and the rules have changed them so far. An
   * error answers the request in this state.
   */
  private final class Reading {
    private ClientRequest request;
    private @Nullable Statement statement;

    Reading(ClientRequest received) {
      this.request = received;
    }

    Statement read() throws StatementReader.UnknownStatement {
      Statement read = parse();
      if (Explain.runs(read)) {
        request = exchanges.analyzed(request, read);
        read = parse();
      }
      Statement ruled = rules.apply(request, read);
      statement = ruled;
      return capped(ruled);
    }

    private Statement parse() throws StatementReader.UnknownStatement {
      Statement read = reader.read(request.frame(), request.client(), context.view());
      statement = read;
      return read;
    }

    private Statement capped(Statement ruled) throws StatementReader.UnknownStatement {
      StatementReader.Capped capped =
          reader.capped(request.frame(), ruled, request.client(), context.view());
      if (capped == null) {
        return ruled;
      }
      request.frame().release();
      request = new ClientRequest(capped.frame(), request.client(), request.replyTo());
      statement = capped.statement();
      return capped.statement();
    }
  }

  /** Answers UNPREPARED, so that the driver prepares the statement again. */
  private static void unprepared(ClientRequest request, StatementReader.UnknownStatement unknown) {
    request.frame().release();
    request.replyTo().reply(CqlCodec.unprepared(request.client().version(), unknown.id()));
  }

  /** Handles a piece of another proxy's read. That proxy has applied rules and limits. */
  private void guest(ClientRequest received, ForwardedPiece piece) {
    Frame frame = ForwardedPiece.without(received.frame());
    ClientRequest request = new ClientRequest(frame, received.client(), received.replyTo());
    Statement statement = null;
    Exchange exchange;
    try {
      statement = reader.readForProxy(frame, request.client(), context.view());
      exchange = rangeReads.guest(request, statement, piece);
    } catch (StatementReader.UnknownStatement e) {
      unprepared(request, e);
      return;
    } catch (RuntimeException | Error e) {
      context.answers().refuse(request, statement, e);
      return;
    }
    exchange.start();
  }

  private Exchange exchange(ClientRequest request, Statement statement, Plan plan) {
    Ruling ruling = statement.ruling();
    String ruledOut = ruling == null ? null : ruling.refusal();
    if (ruling != null && ruledOut != null) {
      rules.refused(request.client(), statement, ruling);
      return refused(request, statement, ruledOut);
    } else if (plan instanceof Plan.Refuse refuse) {
      Failure failure = new Failure.Unreachable(refuse.refusal().message());
      return exchanges.refused(request, statement, failure);
    } else if (plan instanceof Plan.Proxy) {
      return console.answers(statement)
          ? console.exchange(request, statement)
          : exchanges.forwarded(request, statement, homeFirst(request.client()));
    } else if (statement.explained()) {
      return explained(request, statement, plan);
    } else if (Explain.isPrepared(statement)) {
      return refused(
          request, statement, "EXPLAIN cannot be prepared; send it as a simple statement");
    } else if (statement.prepares() != null) {
      return exchanges.forwarded(request, statement, homeFirst(request.client()));
    } else if (statement.isUnclearUse()) {
      return exchanges.unclearUse(request, statement, homeFirst(request.client()));
    } else if (plan instanceof Plan.Queue queue) {
      return queued(request, statement, queue);
    } else if (plan instanceof Plan.Members members) {
      return members(request, statement, members);
    }
    return exchanges.forwarded(request, statement, ((Plan.Forward) plan).nodes());
  }

  private Exchange queued(ClientRequest request, Statement statement, Plan.Queue queue) {
    String refusal =
        queue.priorityClass() == PriorityClass.RANGE ? request.client().rangeRefusal() : null;
    if (refusal != null) {
      context.meters().refused(RefusalReason.MEMORY, statement);
      return exchanges.refused(request, statement, new Failure.Overloaded(refusal));
    }
    return statement.range() == null
        ? exchanges.read(request, statement, queue)
        : rangeReads.exchange(
            request, statement, statement.range(), queue, () -> again(request, statement));
  }

  /** Plans a request again, with the current view. */
  private Exchange again(ClientRequest request, Statement before) {
    try {
      Statement statement = reader.again(request.frame(), before, request.client(), context.view());
      return exchange(request, statement, plans.plan(request, statement));
    } catch (StatementReader.UnknownStatement e) {
      Failure failure = new Failure.Overloaded("The prepared statement was forgotten meanwhile");
      return exchanges.refused(request, before, failure);
    }
  }

  private Exchange members(ClientRequest request, Statement statement, Plan.Members plan) {
    if (Console.addsTo(statement.classified())) {
      SharedTable schema = console.schemaTable(request, statement);
      return exchanges.shared(request, statement, plan.nodes(), schema);
    }
    return Members.concerns(statement.classified())
        ? exchanges.members(request, statement, plan.nodes())
        : exchanges.forwarded(request, statement, plan.nodes());
  }

  private List<NodeId> homeFirst(Client client) {
    return Planner.homeFirst(client.id(), context.view().ring());
  }

  private Exchange explained(ClientRequest request, Statement statement, Plan plan) {
    String refusal = Explain.refusal(statement);
    if (refusal != null) {
      return refused(request, statement, refusal);
    } else if (Objects.requireNonNull(statement.explain()).analyze()) {
      return refused(request, statement, "EXPLAIN ANALYZE runs a SELECT, and nothing else");
    }
    return exchanges.explained(
        request,
        statement,
        homeFirst(request.client()),
        () -> plans.lines(request, statement, plan));
  }

  private Exchange refused(ClientRequest request, Statement statement, String words) {
    return exchanges.refused(request, statement, new Failure.Refused(ErrorCode.INVALID, words));
  }

  @Override
  public Map<String, List<String>> supported() {
    return supported(context.cluster().cqlVersion());
  }

  /** Returns the options of a SUPPORTED message. */
  static Map<String, List<String>> supported(String cqlVersion) {
    return Map.of(
        "CQL_VERSION", List.of(cqlVersion),
        "COMPRESSION", Compression.offered(),
        "GRACEFUL_DISCONNECT", List.of("true"),
        "PROTOCOL_VERSIONS", List.of("3/v3", "4/v4", "5/v5"));
  }

  @Override
  public Handshake startup(ClientRequest startup, Map<String, String> options) {
    return exchanges.handshake(links, startup, options, homeFirst(startup.client()));
  }

  @Override
  public void registered(Client client) {
    events.registered(client);
  }

  @Override
  public void gone(Client client) {
    events.gone(client);
    rules.gone(client);
    context.schemaHomes().forget(client);
  }
}
