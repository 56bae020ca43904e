package io.sluice.exchange.range;

import io.sluice.FakeTable;
import io.sluice.link.MemoryNodes;
import io.sluice.wire.CqlRequest;
import io.sluice.wire.Frame;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;

/**
 * A request for a piece that a node has received.
 *
 * @param answers collects the answers, of which each must be released in the end
 */
record Sent(int node, MemoryNodes.Asked asked, List<Frame> answers) {

  /** Returns the last token of the range, or {@link Long#MAX_VALUE} for the end of the ring. */
  long upTo() {
    CqlRequest.Query query = query();
    if (!query.cql().contains("<= ?")) {
      return Long.MAX_VALUE;
    }
    ByteBuffer end = query.parameters().values().get(query.cql().contains("> ?") ? 1 : 0);
    return Objects.requireNonNull(end).getLong(0);
  }

  /** Returns the number of rows asked for. */
  int rows() {
    return query().parameters().pageSize();
  }

  private CqlRequest.Query query() {
    return (CqlRequest.Query) CqlRequest.of(asked.request());
  }

  void answer(Frame answer) {
    answers.add(answer);
    asked.answer(answer);
  }

  /** Answers with the rows of this table. */
  void answer(FakeTable table) {
    answer(Objects.requireNonNull(table.answer(asked.request())));
  }
}
