package io.sluice.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.execute.table.NotAnswerable;
import io.sluice.execute.table.TablePage;
import io.sluice.link.LinkFailure;
import io.sluice.link.MemoryNodes;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.CqlRequest;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.RowSet;
import io.sluice.wire.TestFrames;
import io.sluice.wire.TestRows;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests a SELECT whose rows come from a node and from the proxy. */
class SharedTableExchangeTest extends ExchangeFixture {

  private static final String CLIENTS_OWN = "SELECT v FROM system.peers";

  /** A table about which the proxy asks two questions. */
  private static final class Table implements SharedTable {
    private final List<Integer> facts = new ArrayList<>();
    private boolean isLaterPage;
    private @Nullable String refusal;

    @Override
    public List<String> questions() {
      return List.of("first", "second");
    }

    @Override
    public boolean isLaterPage() {
      return isLaterPage;
    }

    /** Returns as many rows as the node has returned for both questions. */
    @Override
    public TablePage answer(List<RowSet> asked) throws NotAnswerable {
      asked.forEach(each -> facts.add(each.rows().size()));
      if (refusal != null) {
        throw new NotAnswerable(refusal);
      }
      List<List<@Nullable ByteBuffer>> rows = new ArrayList<>();
      asked.forEach(each -> rows.addAll(each.rows()));
      return new TablePage(new RowSet(asked.get(0).columns(), rows), ByteBuffer.wrap(new byte[3]));
    }
  }

  private final Table table = new Table();

  private Asked ask() {
    return ask(
        CqlCodec.query(4, CLIENTS_OWN),
        (request, statement) -> exchanges.shared(request, statement, ids(), table));
  }

  private void answers(int node, String question, Frame answer) {
    MemoryNodes.Asked sent = sentTo(node);
    assertThat(((CqlRequest.Query) CqlRequest.of(sent.request())).cql()).isEqualTo(question);
    sent.answer(answer);
    assertThat(TestFrames.isReleased(answer)).as("the answer to " + question).isTrue();
  }

  private static Frame own(int rows) {
    TestRows answer = new TestRows("v int").warning("beware");
    for (int i = 0; i < rows; i++) {
      answer.row(ByteBuffer.wrap(new byte[4]));
    }
    return answer.frame();
  }

  @Test
  void a_node_answers_the_questions_then_the_request_whose_rows_are_replaced() {
    Asked asked = ask();
    answers(1, "first", rows(1));
    answers(1, "second", rows(2));
    assertThat(asked.said()).isEqualTo("nothing");
    answers(1, CLIENTS_OWN, own(7));

    TestRows.Read answer = TestRows.read(asked.answers.get(0));
    assertThat(answer.cells()).hasSize(3);
    assertThat(answer.warnings()).containsExactly("beware");
    assertThat(answer.pagingState()).isEqualTo(ByteBuffer.wrap(new byte[3]));
    assertThat(table.facts).containsExactly(1, 2);
    sentNoneTo(1, 2, 3);
    assertThat(lane.scheduled()).as("timers").isZero();
  }

  /** No node knows the paging state. */
  @Test
  void a_page_that_the_proxy_continues_needs_only_the_questions() {
    table.isLaterPage = true;
    Asked asked = ask();
    answers(1, "first", rows(1));
    answers(1, "second", own(2));
    assertThat(TestRows.read(asked.answers.get(0)).cells()).hasSize(3);
    assertThat(TestRows.read(asked.answers.get(0)).warnings()).containsExactly("beware");
    sentNoneTo(1);
  }

  @Test
  void a_statement_that_the_proxy_cannot_evaluate_is_invalid() {
    table.refusal = "not so";
    Asked asked = ask();
    answers(1, "first", rows(1));
    answers(1, "second", rows(2));
    answers(1, CLIENTS_OWN, own(7));
    assertThat(asked.said()).isEqualTo("2200");
    assertThat(asked.words()).isEqualTo("not so");
  }

  @Test
  void an_error_of_a_node_is_the_answer_whatever_it_was_asked() {
    Asked first = ask();
    sentTo(1).answer(CqlCodec.error(4, ErrorCode.UNAUTHORIZED, "no"));
    assertThat(first.said()).isEqualTo("2100");
    Asked own = ask();
    answers(1, "first", rows(1));
    answers(1, "second", rows(2));
    sentTo(1).answer(CqlCodec.error(4, ErrorCode.INVALID, "filtering"));
    assertThat(own.said()).isEqualTo("2200");
    assertThat(table.facts).isEmpty();
    sentNoneTo(1, 2);
  }

  @Test
  void an_answer_that_is_no_table_is_passed_on() {
    Asked asked = ask();
    sentTo(1).answer(CqlCodec.done(4));
    assertThat(asked.said()).isEqualTo("opcode 8");
  }

  /** Rows of two nodes do not belong together. */
  @Test
  void all_questions_are_asked_of_the_next_node_when_one_is_lost() {
    Asked asked = ask();
    answers(1, "first", rows(5));
    diesWithRequest(1);
    answers(2, "first", rows(1));
    answers(2, "second", rows(2));
    answers(2, CLIENTS_OWN, own(7));
    assertThat(TestRows.read(asked.answers.get(0)).cells()).hasSize(3);
    assertThat(table.facts).containsExactly(1, 2);
  }

  @Test
  void all_questions_are_asked_of_the_next_node_when_one_is_silent() {
    Asked asked = ask();
    answers(1, "first", rows(5));
    MemoryNodes.Asked late = sentTo(1);
    nodes.isSilent(1);
    answers(2, "first", rows(1));
    late.answer(rows(6));
    sentTo(2).ignore();
    nodes.isSilent(2);
    answers(3, "first", rows(1));
    answers(3, "second", rows(2));
    answers(3, CLIENTS_OWN, own(7));
    assertThat(TestRows.read(asked.answers.get(0)).cells()).hasSize(3);
  }

  @Test
  void the_last_node_may_be_silent_and_answer_late() {
    nodes.dies(1);
    nodes.dies(2);
    Asked asked = ask();
    MemoryNodes.Asked first = sentTo(3);
    nodes.isSilent(3);
    first.answer(rows(1));
    answers(3, "second", rows(2));
    answers(3, CLIENTS_OWN, own(7));
    assertThat(TestRows.read(asked.answers.get(0)).cells()).hasSize(3);
  }

  @Test
  void the_first_healthy_node_is_asked() {
    health.suspect(id(1), true);
    ask();
    sentNoneTo(1, 3);
    sentTo(2).answer(CqlCodec.done(4));
    health.suspect(id(1), false);
  }

  @Test
  void without_a_reachable_node_the_error_says_so() {
    List.of(1, 2, 3).forEach(nodes::dies);
    Asked asked = ask();
    assertThat(asked.said()).isEqualTo("0000");
    assertThat(asked.words()).isEqualTo("No node could be asked about the cluster");
  }

  @Test
  void a_link_that_a_node_refuses_is_the_error_and_no_other_node_is_asked() {
    nodes.refuses(1, new LinkFailure(ErrorCode.INVALID, "Keyspace 'a' does not exist"));
    Asked asked = ask();
    assertThat(asked.said()).isEqualTo("2200");
    assertThat(asked.words()).isEqualTo("Keyspace 'a' does not exist");
    sentNoneTo(2);
  }

  @Test
  void a_table_that_is_not_answered_in_time_ends_at_its_deadline() {
    Asked asked = ask();
    answers(1, "first", rows(1));
    MemoryNodes.Asked second = sentTo(1);
    lane.pass(12_000);
    assertThat(asked.said()).isEqualTo("0000");
    second.ignore();
    assertThat(TestFrames.isReleased(asked.request)).isTrue();
  }

  @Test
  void rows_that_cannot_be_read_are_an_error_and_are_released() {
    Asked asked = ask();
    Frame broken = TestFrames.of("84 00 0000 08 00000008 00000002 00000001");
    sentTo(1).answer(broken);
    assertThat(asked.said()).isEqualTo("0000");
    assertThat(asked.words()).startsWith("Sluice failed to handle a node's answer: ");
    assertThat(TestFrames.isReleased(broken)).isTrue();
  }
}
