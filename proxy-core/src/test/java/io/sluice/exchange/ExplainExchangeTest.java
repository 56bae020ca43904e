package io.sluice.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.plan.PlanLine;
import io.sluice.link.MemoryNodes;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.CqlRequest;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.TestFrames;
import io.sluice.wire.TestRows;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests EXPLAIN: what a node checks before the plan is made, and how the plan is shown. */
class ExplainExchangeTest extends ExchangeFixture {

  private static final String PERMISSION = "SELECT \"k\" FROM \"ks\".\"t\" WHERE \"k\" IN ()";

  private int planned;

  private Asked explain(String cql) {
    return ask(
        CqlCodec.query(client.version(), cql),
        (request, statement) -> exchanges.explained(request, statement, ids(), this::plan));
  }

  private List<PlanLine> plan() {
    planned++;
    return List.of(PlanLine.at("read", List.of(id(2)), "one request"));
  }

  private static Frame prepared() {
    return TestFrames.prepared(4, TestFrames.id("x"), "v");
  }

  private static String text(MemoryNodes.Asked sent) {
    CqlRequest request = CqlRequest.of(sent.request());
    return request instanceof CqlRequest.Prepare prepare
        ? "prepare " + prepare.cql()
        : ((CqlRequest.Query) request).cql();
  }

  private static List<String> cells(Asked asked) {
    return TestRows.read(asked.answers.get(0)).cells().get(0).stream()
        .map(cell -> StandardCharsets.UTF_8.decode(cell.duplicate()).toString())
        .toList();
  }

  @Test
  void a_plan_is_shown_after_a_node_has_prepared_the_select_and_checked_its_permission() {
    Asked asked = explain("EXPLAIN " + READ);
    MemoryNodes.Asked prepare = sentTo(1);
    assertThat(text(prepare)).isEqualTo("prepare " + READ);
    prepare.answer(prepared());
    MemoryNodes.Asked permission = sentTo(1);
    assertThat(text(permission)).isEqualTo(PERMISSION);
    assertThat(planned).as("plans before the node agrees").isZero();
    permission.answer(rows(0));
    assertThat(cells(asked)).containsExactly("read", "n2:9042", "", "", "", "one request");
    assertThat(planned).isEqualTo(1);
    sentNoneTo(1, 2, 3);
  }

  @Test
  void a_plan_is_shown_as_json_on_request() {
    Asked asked = explain("EXPLAIN JSON " + READ);
    sentTo(1).answer(prepared());
    sentTo(1).answer(rows(0));
    assertThat(cells(asked))
        .containsExactly(
            "{\"plan\": [{\"step\": \"read\", \"nodes\": [\"n2:9042\"], \"note\": \"one"
                + " request\"}]}");
  }

  @Test
  void a_table_that_the_role_may_not_read_is_not_explained() {
    Asked asked = explain("EXPLAIN " + READ);
    sentTo(1).answer(prepared());
    sentTo(1).answer(CqlCodec.error(4, ErrorCode.UNAUTHORIZED, "no SELECT permission"));
    assertThat(asked.said()).isEqualTo("2100");
    assertThat(asked.words()).isEqualTo("no SELECT permission");
    assertThat(planned).isZero();
  }

  @Test
  void a_plan_that_shows_no_table_needs_no_permission() {
    Asked asked = explain("EXPLAIN SELECT key FROM system.local");
    sentTo(1).answer(prepared());
    assertThat(cells(asked)).startsWith("read");
    sentNoneTo(1);
  }

  @Test
  void a_table_that_is_not_known_yet_is_not_explained() {
    Asked asked = explain("EXPLAIN SELECT v FROM ks.new WHERE k = 1");
    sentTo(1).answer(prepared());
    assertThat(asked.said()).isEqualTo("2200");
    assertThat(asked.words()).isEqualTo("The table is not known to Sluice yet");
    assertThat(planned).isZero();
  }

  @Test
  void an_exception_while_the_plan_is_made_is_the_error_of_the_request() {
    Asked asked =
        ask(
            CqlCodec.query(4, "EXPLAIN SELECT key FROM system.local"),
            (request, statement) ->
                exchanges.explained(
                    request,
                    statement,
                    ids(),
                    () -> {
                      throw new IllegalStateException("no plan");
                    }));
    sentTo(1).answer(prepared());
    assertThat(asked.said()).isEqualTo("0000");
    assertThat(asked.words()).contains("no plan");
  }

  @Test
  void the_permission_is_asked_of_the_next_node_when_the_first_is_lost_meanwhile() {
    Asked asked = explain("EXPLAIN " + READ);
    sentTo(1).answer(prepared());
    diesWithRequest(1);
    MemoryNodes.Asked permission = sentTo(2);
    assertThat(text(permission)).isEqualTo(PERMISSION);
    permission.answer(rows(0));
    assertThat(cells(asked)).startsWith("read");
  }

  /** Before v5 a PREPARE has no keyspace. That of the link is used. */
  @ParameterizedTest
  @CsvSource({"4,", "5, ks"})
  void the_select_is_prepared_in_the_keyspace_of_the_client(int version, @Nullable String named) {
    client = new TestClient(version, lane).uses("ks");
    Asked asked = explain("EXPLAIN SELECT v FROM t WHERE k = 1");
    MemoryNodes.Asked sent = sentTo(1);
    CqlRequest.Prepare prepare = (CqlRequest.Prepare) CqlRequest.of(sent.request());
    assertThat(prepare.cql()).isEqualTo("SELECT v FROM t WHERE k = 1");
    assertThat(prepare.keyspace()).isEqualTo(named);
    sent.answer(CqlCodec.error(version, ErrorCode.INVALID, "no"));
    assertThat(asked.said()).isEqualTo("2200");
    assertThat(planned).isZero();
  }
}
