package io.sluice.exchange;

import io.sluice.accept.ClientRequest;
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
 * The exchange of a SELECT from a system table, or a DESCRIBE, to which the proxy contributes. A
 * node first answers the proxy's questions, then the client's own request. The proxy replaces the
 * rows of that last answer.
 */
final class SharedTableExchange extends AskingExchange {

  private final SharedTable table;
  private final List<String> questions;
  private final List<RowSet> facts = new ArrayList<>();

  /**
   * Creates an exchange that {@link #start} starts.
   *
   * @param nodes nodes that can answer, the preferred first; not empty
   */
  SharedTableExchange(
      ProxyContext context,
      ClientRequest request,
      Statement statement,
      List<NodeId> nodes,
      SharedTable table) {
    super(context, request, statement, nodes, "cluster");
    this.table = table;
    this.questions = table.questions();
  }

  /**
   * Returns the next question, and after the last one the client's own request. The node checks
   * permissions, traces and adds warnings; only the rows of its answer are replaced.
   */
  @Override
  Frame outgoing(NodeId to) {
    return facts.size() < questions.size()
        ? CqlCodec.query(request().client().version(), questions.get(facts.size()))
        : super.outgoing(to);
  }

  @Override
  void onNextNode() {
    facts.clear();
  }

  @Override
  void onAnswer(Frame frame) {
    if (!Answers.isRows(frame)) {
      answer(frame);
      return;
    }
    boolean asked = facts.size() < questions.size();
    if (asked) {
      facts.add(CqlCodec.readRows(frame));
    }
    boolean last = !asked || (facts.size() == questions.size() && table.isLaterPage());
    Frame answer = last ? clientAnswer(frame) : null;
    frame.release();
    if (answer == null) {
      ask();
    } else {
      answer(answer);
    }
  }

  /**
   * Returns the answer for the client: the table's rows with the metadata of the node's last
   * answer.
   */
  private Frame clientAnswer(Frame last) {
    try {
      TablePage page = table.answer(facts);
      return CqlCodec.rows(page.rows(), page.pagingState(), last);
    } catch (NotAnswerable e) {
      return CqlCodec.error(
          request().client().version(), ErrorCode.INVALID, String.valueOf(e.getMessage()));
    }
  }
}
