package io.sluice;

import static io.sluice.TestRequests.query;
import static io.sluice.TestRequests.read;
import static io.sluice.TestRequests.rows;
import static io.sluice.TestRequests.write;
import static java.time.Duration.ZERO;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.watch.NodeTimeouts;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.FakeNode;
import io.sluice.wire.Frame;
import io.sluice.wire.Opcode;
import io.sluice.wire.TestFrames;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests requests to nodes that fail in many ways. Each request is answered exactly once, its frame
 * is released and its slot freed. {@link PathFixture.Asked#answer} checks all of that.
 */
class ExchangeTest {

  private static final String UNQUALIFIED_READ = "SELECT v FROM t WHERE k = 1";
  private static final String UNQUALIFIED_RANGE = "SELECT v FROM t LIMIT 10";
  private static final String UNQUALIFIED_WRITE = "INSERT INTO t (k, v) VALUES (1, 2)";

  private PathFixture fixture = new PathFixture(2);

  @AfterEach
  void close() {
    fixture.close();
  }

  /** Lets the node that is asked first do this, and the others answer with rows. */
  private void firstDoes(FakeNode.Script first) {
    AtomicInteger asked = new AtomicInteger();
    fixture.allDo(request -> asked.getAndIncrement() == 0 ? first.answer(request) : rows());
  }

  /**
   * Lets the first {@code count} nodes that are asked know no keyspace, and the others answer with
   * rows. Returns the nodes that were asked.
   */
  private Set<FakeNode> firstKnowNoKeyspace(int count) {
    Set<FakeNode> asked = Collections.synchronizedSet(new LinkedHashSet<>());
    fixture.client.uses("ks");
    for (FakeNode node : fixture.nodes) {
      node.does(
          request -> {
            asked.add(node);
            return List.copyOf(asked).indexOf(node) < count
                ? CqlCodec.error(4, ErrorCode.INVALID, "Keyspace 'ks' does not exist")
                : rows();
          });
    }
    return asked;
  }

  /** The node was down when the keyspace was created, and learns of it later. */
  @ParameterizedTest
  @ValueSource(strings = {UNQUALIFIED_READ, UNQUALIFIED_RANGE, UNQUALIFIED_WRITE})
  void a_request_fails_over_if_a_node_does_not_know_the_keyspace_yet(String cql)
      throws InterruptedException {
    Set<FakeNode> asked = firstKnowNoKeyspace(1);
    assertThat(fixture.ask(query(cql)).answer()).isEqualTo("rows");
    assertThat(asked).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {UNQUALIFIED_READ, UNQUALIFIED_RANGE, UNQUALIFIED_WRITE})
  void a_keyspace_that_two_nodes_do_not_know_is_not_asked_of_a_third(String cql)
      throws InterruptedException {
    fixture.close();
    fixture = new PathFixture(4);
    Set<FakeNode> asked = firstKnowNoKeyspace(4);
    assertThat(fixture.ask(query(cql)).answer()).isEqualTo("2200");
    assertThat(asked).hasSize(2);
  }

  @Test
  void a_read_is_answered_by_one_replica() throws InterruptedException {
    fixture.allDo(request -> rows());
    assertThat(fixture.ask(read()).answer()).isEqualTo("rows");
    assertThat(fixture.heard()).isEqualTo(1);
  }

  @Test
  void a_point_read_counts_as_in_flight_until_it_is_answered() throws InterruptedException {
    List<Integer> underWay = new CopyOnWriteArrayList<>();
    fixture.allDo(
        request -> {
          underWay.add(fixture.client.pointReads.underWay());
          return rows();
        });
    fixture.ask(read()).answer();
    fixture.ask(query("SELECT * FROM ks.t LIMIT 10")).answer();
    fixture.ask(write()).answer();
    assertThat(underWay).containsExactly(1, 0, 0);
  }

  @Test
  void a_range_read_is_answered_by_one_replica() throws InterruptedException {
    fixture.allDo(request -> rows());
    assertThat(fixture.ask(query("SELECT * FROM ks.t LIMIT 10")).answer()).isEqualTo("rows");
    assertThat(fixture.heard()).isEqualTo(1);
  }

  @Test
  void a_range_read_waits_without_a_slot_until_its_client_has_caught_up()
      throws InterruptedException {
    fixture.allDo(request -> rows());
    fixture.client.congested = true;
    PathFixture.Asked range = fixture.ask(query("SELECT * FROM ks.t LIMIT 10"));
    Runnable goOn = fixture.client.waitingForDrain.poll(10, TimeUnit.SECONDS);
    assertThat(goOn).isNotNull();
    assertThat(fixture.slotsHeld()).isZero();
    assertThat(fixture.ask(read()).answer()).as("a concurrent point read").isEqualTo("rows");
    fixture.client.congested = false;
    fixture.client.lane().execute(goOn);
    assertThat(range.answer()).isEqualTo("rows");
    assertThat(fixture.heard()).isEqualTo(2);
  }

  @Test
  void a_range_read_whose_client_never_catches_up_times_out() throws InterruptedException {
    fixture.client.congested = true;
    PathFixture.Asked range = fixture.ask(query("SELECT * FROM ks.t LIMIT 10"));
    assertThat(range.answer()).isEqualTo("1200");
    assertThat(fixture.client.waitingForDrain).as("what the client keeps of it").isEmpty();
    fixture.client.congested = false;
    assertThat(fixture.ask(read()).answer()).isEqualTo("1200");
    assertThat(fixture.heard()).as("requests without the late range read").isEqualTo(1);
  }

  @Test
  void a_read_fails_over_when_its_node_dies() throws InterruptedException {
    firstDoes(fixture.dies());
    assertThat(fixture.ask(read()).answer()).isEqualTo("rows");
    assertThat(fixture.heard()).isEqualTo(2);
  }

  @Test
  void a_read_fails_over_when_its_node_is_overloaded() throws InterruptedException {
    firstDoes(request -> CqlCodec.error(4, ErrorCode.OVERLOADED, "busy"));
    assertThat(fixture.ask(read()).answer()).isEqualTo("rows");
  }

  @Test
  void a_read_that_all_nodes_shed_gets_overloaded() throws InterruptedException {
    fixture.allDo(request -> CqlCodec.error(4, ErrorCode.OVERLOADED, "busy"));
    assertThat(fixture.ask(read()).answer()).isEqualTo("1001");
    assertThat(fixture.heard()).isEqualTo(2);
  }

  @Test
  void range_reads_of_a_client_with_too_much_memory_are_refused() throws InterruptedException {
    fixture.allDo(request -> rows());
    fixture.client.rangeRefusal = "too large (cql.maxMemoryPercent)";
    PathFixture.Asked range = fixture.ask(query("SELECT v FROM ks.t LIMIT 50"));
    assertThat(range.answer()).isEqualTo("1001");
    assertThat(range.words).isEqualTo("too large (cql.maxMemoryPercent)");
    assertThat(fixture.heard()).isZero();
    assertThat(fixture.ask(read()).answer()).isEqualTo("rows");
  }

  /** Each repeated read adds load to an overloaded cluster. */
  @ParameterizedTest
  @ValueSource(strings = {"SELECT v FROM ks.t WHERE k = 1", "SELECT v FROM ks.t LIMIT 5"})
  void a_read_that_a_node_sheds_is_sent_to_one_other_replica_only(String cql)
      throws InterruptedException {
    fixture.close();
    fixture = new PathFixture(5);
    for (int code : new int[] {ErrorCode.OVERLOADED, ErrorCode.IS_BOOTSTRAPPING}) {
      int before = fixture.heard();
      fixture.allDo(request -> CqlCodec.error(4, code, "busy"));
      assertThat(fixture.ask(query(cql)).answer()).isEqualTo("%04x".formatted(code));
      assertThat(fixture.heard() - before).isEqualTo(2);
    }
  }

  /** Links to nodes that refused once fail at once, one after another. The calls must not nest. */
  @Test
  void requests_to_a_thousand_unreachable_nodes_leave_nothing_behind() throws InterruptedException {
    fixture.close();
    fixture = PathFixture.unreachable(1_000);
    for (int i = 0; i < 4; i++) {
      assertThat(fixture.ask(read()).answer()).isIn("1000", "1200");
      assertThat(fixture.ask(write()).answer()).isIn("1000", "1100");
    }
  }

  @Test
  void a_read_fails_over_when_its_node_falls_silent() throws InterruptedException {
    fixture.allDo(request -> fixture.heard() == 1 ? silence() : rows());
    assertThat(fixture.ask(read()).answer()).isEqualTo("rows");
  }

  /** The node's machine has lost power. Nothing was sent yet, so even a write may fail over. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void reads_and_writes_fail_over_when_a_node_accepts_no_connection(int gone)
      throws InterruptedException {
    fixture.allDo(request -> rows());
    fixture.nodes.get(gone).hangs();
    PathFixture.Asked read = fixture.ask(read());
    PathFixture.Asked write = fixture.ask(write());
    assertThat(read.answer()).isEqualTo("rows");
    assertThat(write.answer()).isEqualTo("rows");
  }

  private @Nullable Frame silence() {
    fixture.nodes.stream().filter(node -> !node.heard.isEmpty()).forEach(FakeNode::hangs);
    return null;
  }

  @Test
  void a_read_that_no_node_answers_times_out_at_its_deadline() throws InterruptedException {
    assertThat(fixture.ask(read()).answer()).isEqualTo("1200");
  }

  @Test
  void a_read_without_a_reachable_node_is_unavailable() throws InterruptedException {
    fixture.nodes.forEach(FakeNode::close);
    assertThat(fixture.ask(read()).answer()).isEqualTo("1000");
  }

  @Test
  void other_errors_of_a_node_are_passed_on() throws InterruptedException {
    fixture.allDo(request -> CqlCodec.readTimeout(4, "slow", 1, 0, 1));
    assertThat(fixture.ask(read()).answer()).isEqualTo("1200");
    fixture.allDo(request -> CqlCodec.error(4, ErrorCode.INVALID, "no such column"));
    assertThat(fixture.ask(read()).answer()).isEqualTo("2200");
    assertThat(fixture.heard()).isEqualTo(2);
  }

  /** Links are shared: an unreadable answer ends its own request and no other. */
  @Test
  void an_unreadable_answer_ends_only_its_own_request() throws InterruptedException {
    fixture.close();
    fixture = new PathFixture(1);
    AtomicInteger asked = new AtomicInteger();
    fixture.allDo(
        request ->
            asked.getAndIncrement() < 2 ? TestFrames.of("84 00 0000 00 00000002 0001") : rows());
    assertThat(fixture.ask(read()).answer()).isEqualTo("0000");
    assertThat(fixture.ask(write()).answer()).isEqualTo("1100");
    int connections = fixture.nodes.get(0).connections();
    assertThat(fixture.ask(read()).answer()).isEqualTo("rows");
    assertThat(fixture.nodes.get(0).connections()).isEqualTo(connections).isEqualTo(1);
  }

  @Test
  void a_client_that_left_leaves_nothing_behind() throws InterruptedException {
    fixture.allDo(request -> rows());
    PathFixture.Asked asked = fixture.new Asked(read());
    asked.open = false;
    fixture
        .client
        .lane()
        .execute(
            () ->
                fixture.path.handle(
                    new io.sluice.accept.ClientRequest(asked.request, fixture.client, asked)));
    assertThat(asked.answer()).isEqualTo("1200");
    assertThat(fixture.heard()).isZero();
  }

  @Test
  void a_write_that_may_have_happened_is_not_repeated() throws InterruptedException {
    firstDoes(fixture.dies());
    assertThat(fixture.ask(write()).answer()).isEqualTo("1100");
    assertThat(fixture.heard()).isEqualTo(1);
  }

  @Test
  void a_write_that_was_not_sent_goes_to_the_next_node() throws InterruptedException {
    fixture.allDo(request -> CqlCodec.ready(4));
    fixture.nodes.get(0).close();
    assertThat(fixture.ask(write()).answer()).isEqualTo("opcode 2");
    assertThat(fixture.nodes.get(1).heard).containsExactly(Opcode.QUERY);
  }

  @Test
  void a_write_that_no_node_answers_times_out() throws InterruptedException {
    assertThat(fixture.ask(write()).answer()).isEqualTo("1100");
    assertThat(fixture.heard()).isEqualTo(1);
  }

  /** Cassandra allows more than a minute for these requests, and executes them. */
  @Test
  void a_truncate_or_schema_change_has_a_longer_deadline_than_a_write()
      throws InterruptedException {
    List<PathFixture.Asked> slow =
        List.of(
            fixture.ask(query("TRUNCATE ks.t")),
            fixture.ask(query("CREATE INDEX i ON ks.t (v)")),
            fixture.ask(query("GRANT SELECT ON ks.t TO r")));
    assertThat(fixture.ask(write()).answer()).isEqualTo("1100");
    assertThat(slow).allMatch(each -> !each.isAnswered());
    fixture.nodes.forEach(FakeNode::die);
    assertThat(slow.get(0).answer()).as("TRUNCATE_ERROR").isEqualTo("1003");
    assertThat(slow.get(1).answer()).as("drivers repeat a SERVER_ERROR").isEqualTo("1100");
    assertThat(slow.get(2).answer()).isEqualTo("1100");
  }

  /** The node may be the only one that knows the change, and it is silent while it works. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void requests_after_a_schema_change_go_to_the_same_node_until_schema_agreement(boolean agreed)
      throws InterruptedException {
    Set<FakeNode> asked = Collections.synchronizedSet(new LinkedHashSet<>());
    for (FakeNode node : fixture.nodes) {
      node.does(
          request -> {
            asked.add(node);
            return TestFrames.created(4, "made");
          });
    }
    fixture.cluster.agrees(agreed);
    assertThat(fixture.ask(query("CREATE KEYSPACE made")).answer()).isEqualTo("opcode 8");
    fixture.isSilent(asked.iterator().next());
    assertThat(fixture.ask(query("CREATE TABLE made.t (k int PRIMARY KEY)")).answer())
        .isEqualTo("opcode 8");
    assertThat(asked).hasSize(agreed ? 2 : 1);
  }

  @Test
  void a_truncate_has_the_timeout_of_the_nodes() throws InterruptedException {
    fixture.view.configured(
        new NodeTimeouts(ZERO, ZERO, ZERO, ZERO, ZERO, Duration.ofMillis(900), ZERO, ZERO));
    PathFixture.Asked truncate = fixture.ask(query("TRUNCATE ks.t"));
    PathFixture.Asked change = fixture.ask(query("CREATE INDEX i ON ks.t (v)"));
    assertThat(truncate.answer()).isEqualTo("1003");
    assertThat(change.isAnswered()).isFalse();
  }

  @Test
  void a_write_without_a_reachable_node_is_unavailable() throws InterruptedException {
    fixture.nodes.forEach(FakeNode::close);
    assertThat(fixture.ask(write()).answer()).isEqualTo("1000");
  }

  @Test
  void without_nodes_every_request_is_refused() throws InterruptedException {
    fixture.view.forgetNodes();
    assertThat(fixture.ask(read()).answer()).isEqualTo("1000");
    assertThat(fixture.ask(write()).answer()).isEqualTo("1000");
    assertThat(fixture.ask(CqlCodec.prepare(4, "SELECT 1", null)).answer()).isEqualTo("0000");
  }

  @Test
  void a_successful_use_changes_the_keyspace_of_the_client() throws InterruptedException {
    fixture.allDo(request -> TestFrames.used(4, "Ks"));
    assertThat(fixture.ask(query("USE \"Ks\"")).answer()).isEqualTo("opcode 8");
    assertThat(fixture.client.keyspace()).isEqualTo("Ks");
  }

  /**
   * No code of the path may throw. If code throws nevertheless, the client gets an error, and
   * nothing leaks.
   */
  @Test
  void an_exception_while_a_request_is_read_is_a_server_error() throws InterruptedException {
    fixture.allDo(request -> rows());
    for (Throwable thrown :
        List.of(
            new IllegalStateException("x"), new AssertionError("x"), new StackOverflowError())) {
      fixture.cluster.breaks(thrown);
      PathFixture.Asked asked = fixture.ask(read());
      assertThat(asked.answer()).isEqualTo("0000");
      assertThat(asked.words).contains(thrown.getClass().getSimpleName());
    }
    fixture.cluster.breaks(null);
    assertThat(fixture.ask(read()).answer()).isEqualTo("rows");
  }
}
