package io.sluice.exchange;

import io.sluice.accept.ClientRequest;
import io.sluice.decide.plan.PlanLine;
import io.sluice.execute.reply.Failure;
import io.sluice.ring.NodeId;
import io.sluice.statement.Explain;
import io.sluice.statement.Statement;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The exchange of an EXPLAIN. The proxy checks the client's permissions at a node: it prepares the
 * statement there, then reads no partition of its table. An error of the node becomes the answer,
 * so that EXPLAIN shows nothing of a table to a role that may not read it.
 */
final class ExplainExchange extends PreparingExchange {

  private final @Nullable String permission;
  private final Supplier<List<PlanLine>> lines;
  private final boolean json;
  private boolean prepared;

  /**
   * Creates an exchange that {@link #start} starts.
   *
   * @param statement the explained statement, with its text
   * @param nodes nodes that can check permissions, the preferred first; not empty
   * @param lines supplies the plan after the node has agreed
   */
  ExplainExchange(
      ProxyContext context,
      ClientRequest request,
      Statement statement,
      List<NodeId> nodes,
      Supplier<List<PlanLine>> lines) {
    super(context, request, statement, Objects.requireNonNull(statement.prepares()), nodes);
    this.permission = Explain.permission(statement.classified(), context.view().catalog());
    this.lines = lines;
    this.json = Objects.requireNonNull(statement.explain()).json();
  }

  @Override
  Frame outgoing(NodeId to) {
    return prepared && permission != null
        ? CqlCodec.query(request().client().version(), permission)
        : super.outgoing(to);
  }

  @Override
  void agreed() {
    if (permission != null && !prepared) {
      prepared = true;
      ask();
    } else if (permission == null && Explain.showsTable(statement().classified())) {
      fail(new Failure.Refused(ErrorCode.INVALID, "The table is not known to Sluice yet"));
    } else {
      int version = request().client().version();
      answer(Explain.rows(version, lines.get(), context().view().ring(), json));
    }
  }
}
