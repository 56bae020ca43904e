package io.sluice.exchange;

import io.sluice.accept.ClientRequest;
import io.sluice.execute.dispatch.PreparedTexts.PreparedText;
import io.sluice.execute.reply.Failure;
import io.sluice.ring.NodeId;
import io.sluice.statement.Statement;
import io.sluice.wire.ErrorCode;
import java.util.List;

/**
 * The exchange of a USE that the proxy does not understand. No node executes it, because it could
 * change the keyspace of a link that other clients share. The client gets the error with which a
 * node refuses to prepare it.
 */
final class UnclearUseExchange extends PreparingExchange {

  UnclearUseExchange(
      ProxyContext context,
      ClientRequest request,
      Statement statement,
      String cql,
      List<NodeId> nodes) {
    super(context, request, statement, new PreparedText(cql, null), nodes);
  }

  @Override
  void agreed() {
    fail(
        new Failure.Refused(
            ErrorCode.SYNTAX_ERROR, "Sluice does not understand this USE: write USE name"));
  }
}
