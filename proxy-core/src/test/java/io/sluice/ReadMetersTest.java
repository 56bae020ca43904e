package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Timer;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.decide.rule.Rule;
import io.sluice.decide.rule.Rule.RuleClass;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.TestFrames;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the meters of requests: the phases of reads, errors, refusals, roles. */
class ReadMetersTest {

  private static final SplitConfig SPLIT =
      new SplitConfig(SplitConfig.Parallel.WAVES, 1000, 0, 8, 1 << 20, false);

  /** An error with the code 0x7777. */
  private static final String OF_LATER_VERSION = "84 00 0000 00 00000007 00007777 0001 78";

  private PathFixture fixture = new PathFixture(2);

  @AfterEach
  void close() {
    fixture.close();
  }

  private long count(String of, String phase) {
    return fixture
        .meters
        .get("sluice.read.phase")
        .tags("class", of, "phase", phase)
        .timers()
        .stream()
        .mapToLong(Timer::count)
        .sum();
  }

  private double errors(String origin, String error) {
    return fixture
        .meters
        .get("sluice.errors")
        .tags("origin", origin, "error", error)
        .counter()
        .count();
  }

  private double refused(String reason, String of) {
    return fixture
        .meters
        .get("sluice.refused")
        .tags("reason", reason, "class", of)
        .functionCounters()
        .stream()
        .mapToDouble(FunctionCounter::count)
        .sum();
  }

  @Test
  void a_point_read_waits_in_a_queue_and_is_read_at_a_node() throws InterruptedException {
    fixture.allDo(request -> TestRequests.rows());
    assertThat(fixture.ask(TestRequests.read()).answer()).isEqualTo("rows");

    assertThat(count("point", "queue")).isEqualTo(1);
    assertThat(count("point", "node")).isEqualTo(1);
    assertThat(count("point", "client")).isZero();
    assertThat(count("range", "queue")).isZero();
    assertThat(fixture.meters.get("sluice.role.work.seconds").functionCounter().count())
        .isPositive();
  }

  @Test
  void each_piece_of_a_range_read_has_its_phases_and_waits_for_the_page()
      throws InterruptedException {
    fixture.close();
    fixture = new PathFixture(4, SPLIT);
    FakeTable table = new FakeTable(400, 10);
    fixture.allDo(table);
    fixture.ask(TestRequests.query("SELECT k FROM ks.t")).page();

    long pieces = count("range", "node");
    assertThat(pieces).isGreaterThan(1);
    assertThat(count("range", "queue")).isEqualTo(pieces);
    assertThat(count("range", "merge")).isBetween(2L, pieces);
  }

  @Test
  void a_wait_for_the_client_is_counted() throws InterruptedException {
    fixture.allDo(request -> TestRequests.rows());
    fixture.client.full = true;
    PathFixture.Asked asked = fixture.ask(TestRequests.read());
    Runnable drained = fixture.client.waitingForDrain.take();
    fixture.client.full = false;
    fixture.lane.execute(drained);

    assertThat(asked.answer()).isEqualTo("rows");
    assertThat(count("point", "client")).isEqualTo(1);
    assertThat(count("point", "queue")).as("two turns of the read").isEqualTo(2);
    assertThat(count("point", "node")).isEqualTo(1);
  }

  @Test
  void a_read_without_an_answer_counts_as_time_at_the_node() throws InterruptedException {
    fixture.allDo(request -> null);
    assertThat(fixture.ask(TestRequests.read()).answer()).isEqualTo("1200");

    assertThat(count("point", "node")).isPositive();
    assertThat(errors("proxy", "read_timeout")).isEqualTo(1);
    assertThat(errors("node", "read_timeout")).isZero();
  }

  @Test
  void errors_of_nodes_and_of_the_proxy_are_counted_separately() throws InterruptedException {
    fixture.allDo(request -> CqlCodec.error(4, ErrorCode.INVALID, "no such column"));
    assertThat(fixture.ask(TestRequests.read()).answer()).isEqualTo("2200");
    fixture.allDo(request -> TestFrames.of(OF_LATER_VERSION));
    fixture.ask(TestRequests.write()).answer();

    assertThat(errors("node", "invalid")).isEqualTo(1);
    assertThat(errors("node", "other")).isEqualTo(1);
    assertThat(errors("proxy", "invalid")).isZero();
  }

  @Test
  void refusals_are_counted_by_reason_and_class() throws InterruptedException {
    fixture.client.rangeRefusal = "too large (cql.maxMemoryPercent)";
    fixture.ask(TestRequests.query("SELECT v FROM ks.t")).answer();
    fixture.client.rangeRefusal = null;
    Rule.Match writes =
        new Rule.Match(
            null, null, null, null, null, null, List.of(RuleClass.WRITE), null, null, null);
    fixture.rules.change(
        List.of(new Rule("ro", writes, null, null, Rule.Action.REFUSE, null, "read only")));
    assertThat(fixture.ask(TestRequests.write()).answer()).isEqualTo("2200");

    assertThat(refused("memory", "range")).isEqualTo(1);
    assertThat(refused("memory", "point")).isZero();
    assertThat(refused("rule", "other")).isEqualTo(1);
    assertThat(errors("proxy", "overloaded")).isEqualTo(1);
    assertThat(errors("proxy", "invalid")).isEqualTo(1);
    assertThat(
            fixture
                .meters
                .get("sluice.rule.refused")
                .tags("rule", "ro", "limit", "action")
                .counter()
                .count())
        .isEqualTo(1);
  }

  @Test
  void without_a_reachable_node_reads_are_refused_as_unavailable() throws InterruptedException {
    fixture.close();
    fixture = PathFixture.unreachable(1);
    fixture.ask(TestRequests.read()).answer();
    Awaitility.await().until(() -> refused("unavailable", "point") == 1);
    assertThat(errors("proxy", "unavailable")).isEqualTo(1);
  }
}
