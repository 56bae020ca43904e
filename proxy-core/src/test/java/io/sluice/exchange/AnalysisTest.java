package io.sluice.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.PriorityClass;
import io.sluice.execute.table.JsonText;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.TestFrames;
import io.sluice.wire.TestRows;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the answer to EXPLAIN ANALYZE: the requests of the read instead of its rows. */
class AnalysisTest extends ExchangeFixture {

  private Asked analyze(String options) {
    return read(CqlCodec.query(4, "EXPLAIN ANALYZE " + options + READ), PriorityClass.POINT, ids());
  }

  private static List<String> lines(Asked asked) {
    return TestRows.read(asked.answers.get(0)).cells().stream()
        .map(
            row ->
                String.join(
                    "|",
                    row.stream()
                        .map(cell -> StandardCharsets.UTF_8.decode(cell.duplicate()).toString())
                        .toList()))
        .toList();
  }

  @Test
  void each_request_is_a_line_with_its_times_and_the_total_is_the_last() {
    Asked asked = analyze("");
    lane.pass(4);
    diesWithRequest(1);
    lane.pass(6);
    Frame answer = rows(2);
    int bytes = answer.length();
    sentTo(2).answer(answer);
    assertThat(TestFrames.isReleased(answer)).isTrue();
    List<String> lines = lines(asked);
    assertThat(lines.get(0))
        .isEqualTo("read|n1:9042||0.00|4.00|0|0|0.16|unknown|" + ReadTrace.GIVEN_UP);
    assertThat(lines.get(1)).matches("read\\|n2:9042\\|\\|0.00\\|6.00\\|2\\|" + bytes + "\\|.*\\|");
    assertThat(lines.get(2))
        .startsWith("total|||0.00|10.00|2|" + bytes + "|")
        .endsWith("|2 requests, 2 rows from nodes; all rows");
    assertThat(lines).hasSize(3);
  }

  @Test
  void the_answer_keeps_the_warnings_of_the_node() {
    Asked asked = analyze("");
    sentTo(1).answer(new TestRows("v int").warning("beware").frame());
    assertThat(TestFrames.warnings(asked.answers.get(0))).containsExactly("beware");
  }

  @Test
  void an_error_of_a_node_or_of_the_proxy_reaches_the_client_unchanged() {
    Asked asked = analyze("");
    sentTo(1).answer(CqlCodec.error(4, ErrorCode.INVALID, "no such column"));
    assertThat(asked.words()).isEqualTo("no such column");
    Asked late = analyze("");
    lane.pass(TIMEOUT_MILLIS);
    assertThat(late.said()).isEqualTo("1200");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-1 | false | all rows",
        "10 | true  | one page of up to 10 rows, more follow",
        "10 | false | one page of up to 10 rows, no more follow"
      })
  void the_total_says_which_part_of_the_rows_was_read(int pageSize, boolean more, String page) {
    Frame request = TestFrames.page("EXPLAIN ANALYZE " + READ, pageSize, null);
    Asked asked = read(request, PriorityClass.POINT, ids());
    sentTo(1)
        .answer(
            new TestRows("v int").pagingState(more ? ByteBuffer.wrap(new byte[2]) : null).frame());
    assertThat(lines(asked).get(1)).endsWith("|1 request, 0 rows from nodes; " + page);
  }

  @Test
  void json_leaves_out_what_a_line_does_not_have_and_shows_the_unknown_as_null() {
    Asked asked = analyze("JSON ");
    lane.pass(4);
    diesWithRequest(1);
    sentTo(2).answer(rows(1));
    assertThat(lines(asked)).hasSize(1);
    assertThat(lines(asked).get(0))
        .startsWith(
            "{\"requests\": [{\"step\": \"read\", \"node\": \"n1:9042\", \"queued_ms\": 0.0")
        .contains("\"read_ms\": 4.0, \"rows\": 0, \"bytes\": 0,")
        .contains("\"work_ms\": null, \"note\": " + JsonText.of(ReadTrace.GIVEN_UP))
        .contains("\"total\": {\"step\": \"total\", \"queued_ms\": 0.0")
        .doesNotContain("\"range\"");
  }

  @Test
  void a_read_that_another_exchange_forwards_is_shown_without_a_queue() {
    Asked asked = forward("EXPLAIN ANALYZE " + READ);
    lane.pass(3);
    sentTo(1).answer(rows(1));
    assertThat(lines(asked)).hasSize(1);
    assertThat(lines(asked).get(0))
        .startsWith("total|||unknown|3.00|1|")
        .endsWith("|unknown|unknown|forwarded to one node, not queued; all rows");
  }

  @Test
  void the_select_reaches_the_node_without_the_head_of_the_statement() {
    Frame frame = CqlCodec.query(4, "EXPLAIN ANALYZE " + READ);
    Asked asked = read(frame, PriorityClass.POINT, ids());
    assertThat(TestFrames.isReleased(frame)).isTrue();
    var sent = sentTo(1);
    assertThat(TestFrames.payload(sent.request())).isEqualTo(Map.of());
    assertThat(TestFrames.hex(sent.request())).doesNotContain("4558504c41494e");
    sent.answer(rows(1));
    assertThat(asked.answers).hasSize(1);
  }
}
