package io.sluice.exchange.range;

import static io.sluice.exchange.range.PageFixture.ALL;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.FakeTable;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.watch.ClusterView;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests a further page of a table that this proxy does not know yet: it waits until the view shows
 * the table, or is refused.
 */
class LateTableExchangeTest {

  private static final String DROPPED =
      "2200 Invalid paging state: the statement can no longer be split (UNKNOWN_TABLE);"
          + " start again from the first page";

  private final FakeTable table = new FakeTable(400, 20);
  private final PageFixture fixture =
      new PageFixture(new SplitConfig(SplitConfig.Parallel.WAVES, 1000, 0, 8, 1 << 20, false));
  private final RangeClient client = new RangeClient(fixture);
  private final AtomicInteger looks = new AtomicInteger();
  private final ClusterView known = fixture.cluster.view();
  private ByteBuffer state = ByteBuffer.allocate(0);

  @BeforeEach
  void only_another_proxy_knows_the_table() {
    Reply first = client.ask(ALL, 7);
    fixture.serve(table);
    state = Objects.requireNonNull(first.pagingState);
    fixture.unknownTable();
    fixture.cluster.beforeAgreement(looks::incrementAndGet);
  }

  @AfterEach
  void nothing_is_left() {
    client.close();
  }

  @Test
  void a_table_that_the_view_shows_after_a_look_is_read_at_once() {
    fixture.cluster.beforeAgreement(() -> fixture.cluster.becomes(known));
    Reply reply = client.ask(ALL, 7, state);
    fixture.serve(table);
    assertThat(reply.told).containsExactly("rows " + table.keys().subList(7, 14));
  }

  /** Without the table, such a SELECT could be a point read, too. */
  @Test
  void a_page_of_a_filtered_read_waits_for_the_table_too() {
    String filtered = "SELECT * FROM ks.t WHERE v = 1 ALLOW FILTERING";
    fixture.cluster.becomes(known);
    Reply first = client.ask(filtered, 7);
    fixture.serve(table);
    fixture.unknownTable();
    fixture.cluster.beforeAgreement(() -> fixture.cluster.becomes(known));
    Reply reply = client.ask(filtered, 7, Objects.requireNonNull(first.pagingState));
    fixture.serve(table);
    assertThat(reply.told).containsExactly("rows " + table.keys().subList(7, 14));
  }

  @Test
  void looks_are_a_tenth_of_a_second_apart() {
    Reply reply = client.ask(ALL, 7, state);
    assertThat(looks).hasValue(1);
    fixture.lane.pass(99);
    assertThat(looks).hasValue(1);
    fixture.lane.pass(1);
    assertThat(looks).hasValue(2);
    fixture.cluster.becomes(known);
    assertThat(fixture.sent()).as("requests before the next look").isEmpty();
    fixture.lane.pass(100);
    assertThat(looks).hasValue(3);
    fixture.serve(table);
    assertThat(reply.told).containsExactly("rows " + table.keys().subList(7, 14));
  }

  @Test
  void a_table_that_five_looks_do_not_show_was_dropped() {
    Reply reply = client.ask(ALL, 7, state);
    fixture.lane.pass(399);
    assertThat(looks).hasValue(4);
    assertThat(reply.told).isEmpty();
    fixture.lane.pass(1);
    assertThat(looks).hasValue(5);
    assertThat(reply.told).containsExactly(DROPPED);
    fixture.lane.pass(1_000);
    assertThat(looks).as("looks after the answer").hasValue(5);
  }

  @Test
  void the_time_of_a_rule_includes_the_wait_for_the_table() {
    client.rule(Duration.ofSeconds(1));
    Reply reply = client.ask(ALL, 7, state);
    fixture.lane.pass(150);
    fixture.cluster.becomes(known);
    fixture.lane.pass(150);
    List<Sent> sent = fixture.sent();
    assertThat(sent).isNotEmpty();
    fixture.lane.pass(699);
    assertThat(reply.told).isEmpty();
    fixture.lane.pass(1);
    assertThat(reply.told).singleElement().asString().startsWith("1200").contains("rule slow");
    sent.forEach(late -> late.answer(table));
  }

  @Test
  void nodes_that_do_not_agree_do_not_end_the_wait() {
    fixture.cluster.agrees(false);
    Reply reply = client.ask(ALL, 7, state);
    fixture.cluster.becomes(known);
    fixture.lane.pass(100);
    fixture.serve(table);
    assertThat(reply.told).containsExactly("rows " + table.keys().subList(7, 14));
  }

  @Test
  void a_request_that_an_operator_ends_is_not_read_when_the_table_appears() {
    Reply reply = client.ask(ALL, 7, state);
    client.endAll("enough");
    assertThat(reply.told).containsExactly("2200 enough");
    fixture.cluster.becomes(known);
    fixture.lane.pass(100);
    assertThat(looks).as("looks after the answer").hasValue(1);
    assertThat(fixture.sent()).isEmpty();
  }

  @Test
  void a_fault_of_a_look_ends_the_request_with_an_error() {
    Reply reply = client.ask(ALL, 7, state);
    fixture.cluster.becomes(
        new ClusterView(
            known.ring(),
            (keyspace, name) -> {
              throw new IllegalStateException("no schema");
            },
            Map.of(),
            Map.of()));
    fixture.lane.pass(100);
    assertThat(reply.told).singleElement().asString().startsWith("0000");
    fixture.lane.pass(1_000);
    assertThat(looks).hasValue(2);
  }

  /** The number of replicas in an error message comes from the same view. */
  @Test
  void a_view_that_throws_ends_the_request_with_an_error() {
    Reply reply = client.ask(ALL, 7, state);
    fixture.cluster.breaks(new IllegalStateException("no view"));
    fixture.lane.pass(100);
    assertThat(reply.told).singleElement().asString().startsWith("0000").endsWith("no view");
    fixture.cluster.breaks(null);
    fixture.lane.pass(1_000);
    assertThat(looks).as("looks after the answer").hasValue(2);
  }

  @Test
  void a_request_for_agreement_that_throws_ends_the_request_with_an_error() {
    Reply reply = client.ask(ALL, 7, state);
    fixture.cluster.beforeAgreement(
        () -> {
          throw new IllegalStateException("no nodes");
        });
    fixture.lane.pass(100);
    assertThat(reply.told).singleElement().asString().startsWith("0000").endsWith("no nodes");
  }
}
