package io.sluice.exchange;

import io.sluice.accept.ClientRequest;
import io.sluice.execute.dispatch.NodeAnswer;
import io.sluice.execute.reply.Failure;
import io.sluice.execute.table.NotAnswerable;
import io.sluice.execute.table.TablePage;
import io.sluice.ring.NodeId;
import io.sluice.statement.Statement;
import io.sluice.wire.Answers;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.RowSet;
import java.util.ArrayList;
import java.util.List;

/**
 * A SELECT from a system table in which the proxy has rows: a node is asked for the facts, then for
 * the client's own request, whose answer gets the rows that the proxy finds.
 */
final class SharedTableExchange extends WholeExchange {

  private final List<NodeId> nodes;
  private final SharedTable table;
  private final List<String> questions;
  private final List<RowSet> facts = new ArrayList<>();
  private int node;

  /**
   * Not asked yet.
   *
   * @param nodes nodes that can be asked, the preferred first; not empty
   */
  SharedTableExchange(
      ProxyContext context,
      ClientRequest request,
      Statement statement,
      List<NodeId> nodes,
      SharedTable table) {
    super(context, request, statement, context.requestTimeoutNanos());
    this.nodes = context.health().healthyFirst(nodes);
    this.table = table;
    this.questions = table.questions();
  }

  @Override
  protected void begin() {
    ask();
  }

  private void ask() {
    send(nodes.get(node));
  }

  /**
   * After the questions, the client's own request: the node checks, traces and warns of it, and
   * only its rows are replaced.
   */
  @Override
  Frame outgoing(NodeId to) {
    return facts.size() < questions.size()
        ? CqlCodec.query(request().client().version(), questions.get(facts.size()))
        : super.outgoing(to);
  }

  @Override
  public void ended(NodeAnswer answer) {
    if (answer instanceof NodeAnswer.Answered answered) {
      heard(answered.frame());
    } else if (answer instanceof NodeAnswer.Refused refused) {
      fail(new Failure.Refused(refused.errorCode(), refused.message()));
    } else {
      next();
    }
  }

  private void next() {
    facts.clear();
    if (++node < nodes.size()) {
      handOn(nodes.get(node));
    } else {
      fail(new Failure.Unreachable("No node could be asked about the cluster"));
    }
  }

  private void heard(Frame frame) {
    if (!Answers.isRows(frame)) {
      answer(frame);
      return;
    }
    boolean asked = facts.size() < questions.size();
    if (asked) {
      facts.add(CqlCodec.readRows(frame));
    }
    boolean last = !asked || (facts.size() == questions.size() && table.goesOn());
    Frame answer = last ? conclusion(frame) : null;
    frame.release();
    if (answer == null) {
      ask();
    } else {
      answer(answer);
    }
  }

  /** The client's answer, with what the node's answer to the same request says besides rows. */
  private Frame conclusion(Frame last) {
    try {
      TablePage page = table.answer(facts);
      return CqlCodec.rows(page.rows(), page.pagingState(), last);
    } catch (NotAnswerable e) {
      return CqlCodec.error(
          request().client().version(), ErrorCode.INVALID, String.valueOf(e.getMessage()));
    }
  }

  @Override
  void waited(boolean wasSent) {
    if (node + 1 < nodes.size()) {
      abandonAttempt();
      next();
    }
  }
}
