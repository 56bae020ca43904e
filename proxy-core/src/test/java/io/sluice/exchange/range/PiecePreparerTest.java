package io.sluice.exchange.range;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.execute.dispatch.Dispatcher;
import io.sluice.execute.dispatch.PreparedTexts.PreparedText;
import io.sluice.link.LinkKey;
import io.sluice.link.MemoryNodes;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.statement.PreparedCache;
import io.sluice.time.TestLane;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.CqlRequest;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.Identity;
import io.sluice.wire.PreparedId;
import io.sluice.wire.TestFrames;
import java.net.InetSocketAddress;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests that the statement of a piece is prepared once, and that no piece waits for it. */
class PiecePreparerTest {

  private static final PreparedText TEXT = new PreparedText("SELECT k FROM ks.t", "ks");
  private static final PreparedText OTHER = new PreparedText("SELECT v FROM ks.t", "ks");
  private static final PreparedId ID = TestFrames.id("0123456789abcdef");

  private final TestLane lane = new TestLane();
  private final MemoryNodes nodes = new MemoryNodes(lane);
  private final PreparedCache cache = new PreparedCache(10, 1 << 20);
  private final PiecePreparer preparer = new PiecePreparer(new Dispatcher(nodes, cache), cache);
  private final Node node =
      new Node(
          new NodeId(new UUID(0, 1)),
          InetSocketAddress.createUnresolved("n1", 9042),
          "dc1",
          "r1",
          true);

  @AfterEach
  void nothing_more_was_sent() {
    assertThat(nodes.next(1)).isNull();
    nodes.close();
  }

  private @Nullable PreparedId id(PreparedText text) {
    return preparer.id(text, lane, node, new LinkKey(Identity.ANONYMOUS, 4, text.keyspace()));
  }

  private void answerPrepare(PreparedText text, Frame answer) {
    MemoryNodes.Asked asked = nodes.next(1);
    assertThat(asked).as("a PREPARE of %s", text.cql()).isNotNull();
    assertThat(CqlRequest.of(asked.request())).isEqualTo(new CqlRequest.Prepare(text.cql(), null));
    asked.answer(answer);
  }

  @Test
  void the_first_piece_is_sent_as_text_and_its_statement_is_prepared() {
    assertThat(id(TEXT)).isNull();
    answerPrepare(TEXT, TestFrames.prepared(4, ID));
    assertThat(id(TEXT)).isEqualTo(ID);
  }

  @Test
  void a_statement_is_not_prepared_again_before_the_answer() {
    assertThat(id(TEXT)).isNull();
    assertThat(id(TEXT)).isNull();
    answerPrepare(TEXT, TestFrames.prepared(4, ID));
  }

  @Test
  void each_text_has_its_own_id() {
    assertThat(id(TEXT)).isNull();
    assertThat(id(OTHER)).isNull();
    answerPrepare(TEXT, TestFrames.prepared(4, ID));
    answerPrepare(OTHER, TestFrames.prepared(4, TestFrames.id("fedcba9876543210")));
    assertThat(id(TEXT)).isNotEqualTo(id(OTHER));
  }

  @Test
  void a_statement_that_the_node_refuses_is_prepared_again_for_the_next_piece() {
    assertThat(id(TEXT)).isNull();
    answerPrepare(TEXT, CqlCodec.error(4, ErrorCode.OVERLOADED, "busy"));
    assertThat(id(TEXT)).isNull();
    answerPrepare(TEXT, TestFrames.prepared(4, ID));
    assertThat(id(TEXT)).isEqualTo(ID);
  }

  @Test
  void a_statement_is_prepared_again_after_its_link_breaks() {
    assertThat(id(TEXT)).isNull();
    nodes.dies(1);
    nodes.comesBack(1);
    assertThat(id(TEXT)).isNull();
    answerPrepare(TEXT, TestFrames.prepared(4, ID));
    assertThat(id(TEXT)).isEqualTo(ID);
  }

  @Test
  void an_answer_without_a_prepared_statement_gives_no_id() {
    assertThat(id(TEXT)).isNull();
    answerPrepare(TEXT, CqlCodec.ready(4));
    assertThat(id(TEXT)).isNull();
    answerPrepare(TEXT, TestFrames.prepared(4, ID));
  }

  @Test
  void a_forgotten_id_is_prepared_again() {
    assertThat(id(TEXT)).isNull();
    answerPrepare(TEXT, TestFrames.prepared(4, ID));
    preparer.forget(TEXT);
    assertThat(id(TEXT)).isNull();
    answerPrepare(TEXT, TestFrames.prepared(4, ID));
  }
}
