package io.sluice.exchange.range;

import static io.sluice.exchange.range.PageFixture.ALL;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.FakeTable;
import io.sluice.accept.ClientRequest;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.decide.rule.Rule;
import io.sluice.decide.schedule.SchedulingConfig.Mode;
import io.sluice.exchange.ClientRules;
import io.sluice.exchange.RunningRequests.RequestFacts.Progress.State;
import io.sluice.exchange.TestTrace;
import io.sluice.fleet.TestHomes;
import io.sluice.link.MemoryNodes;
import io.sluice.meter.HomeMeters;
import io.sluice.ring.NodeId;
import io.sluice.testkit.Records;
import io.sluice.wire.ForwardedPiece;
import io.sluice.wire.Frame;
import io.sluice.wire.TestFrames;
import io.sluice.wire.TestRows;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests which pieces are sent to home proxies, and what becomes of a piece whose home fails. Node 9
 * is the other proxy.
 */
class PieceHomesTest {

  private static final int HOME = 9;
  private static final UUID PROXY = new UUID(0, HOME);
  private static final UUID SECRET = new UUID(77, 78);
  private static final NodeId ONE = new NodeId(new UUID(0, 1));
  private static final NodeId TWO = new NodeId(new UUID(0, 2));
  private static final NodeId THREE = new NodeId(new UUID(0, 3));

  private final FakeTable table = new FakeTable(400, 20);
  private PageFixture fixture = fixture(16);
  private RangeClient client = new RangeClient(fixture);

  private static PageFixture fixture(int slots) {
    return new PageFixture(
        new SplitConfig(SplitConfig.Parallel.WAVES, 1000, 0, 8, 1 << 20, true), slots);
  }

  @BeforeEach
  void the_other_proxy_is_the_home_of_all_nodes() {
    fixture.learn(table);
    fixture.homes(TestHomes.allAt(PROXY, SECRET, List.of(ONE, TWO, THREE)));
  }

  @AfterEach
  void nothing_is_left() {
    client.close();
  }

  private List<MemoryNodes.Asked> sentToHome() {
    List<MemoryNodes.Asked> sent = new ArrayList<>();
    for (var next = fixture.nodes.next(HOME); next != null; next = fixture.nodes.next(HOME)) {
      sent.add(next);
    }
    return sent;
  }

  /** Answers for a home: the rows of the piece after a wait there, and what its node has to do. */
  private static void answer(MemoryNodes.Asked asked, long queuedMicros, long backlogMicros) {
    asked.answer(
        new ForwardedPiece.Receipt(queuedMicros, backlogMicros)
            .addTo(new TestRows("k int").frame()));
  }

  private void allAreReadDirectly(Reply reply) {
    assertThat(sentToHome()).isEmpty();
    fixture.serve(table);
    assertThat(reply.told).containsExactly("rows " + table.keys());
  }

  @Test
  void without_other_proxies_all_pieces_wait_here() {
    fixture.homes(TestHomes.alone(SECRET));
    allAreReadDirectly(client.ask(ALL, -1));
  }

  /** Without queues, there is no order to keep with other proxies. */
  @Test
  void without_queues_all_pieces_are_sent_directly() {
    fixture.settings.updateAndGet(
        now ->
            Records.with(now, "scheduling", Records.with(now.scheduling(), "mode", Mode.OBSERVE)));
    allAreReadDirectly(client.ask(ALL, -1));
  }

  /** The home's answer would not have the tracing id. The read began without tracing. */
  @Test
  void the_pieces_of_a_traced_page_wait_here() {
    fixture.homes(TestHomes.alone(SECRET));
    Reply first = client.ask(ALL, 7);
    fixture.serve(table);
    fixture.homes(TestHomes.allAt(PROXY, SECRET, List.of(ONE, TWO, THREE)));
    Frame request = TestFrames.traced(TestFrames.page(ALL, 7, first.pagingState));
    Reply second = client.ask(request, fixture.statement(request));
    assertThat(sentToHome()).isEmpty();
    fixture.serve(table);
    assertThat(second.told).containsExactly("rows " + table.keys().subList(7, 14));
  }

  @Test
  void the_pieces_of_a_read_that_a_rule_sends_to_a_data_centre_wait_here() {
    fixture
        .context
        .rules()
        .change(List.of(new Rule("there", null, null, null, null, null, null, null, null, "dc1")));
    Frame request = TestFrames.page(ALL, -1, null);
    allAreReadDirectly(
        client.ask(
            request,
            new ClientRules(fixture.context)
                .apply(
                    new ClientRequest(request, fixture.client, new Reply()),
                    fixture.statement(request))));
  }

  @Test
  void a_page_that_is_read_again_at_one_node_waits_here() {
    Reply reply = client.ask(ALL, -1);
    List<MemoryNodes.Asked> sent = sentToHome();
    sent.get(0)
        .answer(
            new ForwardedPiece.Receipt(0, 0)
                .addTo(new TestRows("k int").row(ByteBuffer.allocate(4)).frame()));
    sent.get(1)
        .answer(
            new ForwardedPiece.Receipt(0, 0)
                .addTo(new TestRows("k text").row(ByteBuffer.allocate(4)).frame()));
    sent.subList(2, sent.size()).forEach(late -> answer(late, 0, 0));
    allAreReadDirectly(reply);
  }

  /** The piece that ends at 200 has the replicas 2 and 3. */
  @Test
  void a_piece_waits_at_another_replica_while_the_home_reports_a_long_wait() {
    fixture.homes(TestHomes.divided(PROXY, SECRET, List.of(TWO), List.of(ONE, THREE)));
    Page page = fixture.page(ALL, -1);
    List<MemoryNodes.Asked> sent = sentToHome();
    assertThat(sent).hasSize(1);
    answer(sent.get(0), 0, 50_000);
    fixture.serve(table);
    assertThat(page.told).hasSize(1);

    allAreReadDirectly(client.ask(ALL, -1));

    fixture.lane.pass(1_001);
    client.ask(ALL, -1);
    sent = sentToHome();
    assertThat(sent).as("after the report is out of date").hasSize(1);
    answer(sent.get(0), 0, 0);
    fixture.serve(table);
  }

  /** Node 1 is free, but the other proxy orders the reads that wait for it. */
  @Test
  void a_piece_that_waits_here_waits_only_for_nodes_whose_home_is_here() {
    client.close();
    fixture = fixture(1);
    client = new RangeClient(fixture);
    fixture.learn(table);
    fixture.homes(TestHomes.divided(PROXY, SECRET, List.of(ONE), List.of(TWO, THREE)));
    String last = ALL + " WHERE token(k) > 200 AND token(k) <= 300";
    Reply first = client.ask(last, -1);
    List<Sent> sent = fixture.sent();
    assertThat(sent).extracting(Sent::node).containsExactly(3);
    Reply second = client.ask(last, -1);
    assertThat(fixture.sent()).as("requests to node 1").isEmpty();
    assertThat(sentToHome()).isEmpty();
    sent.get(0).answer(table);
    fixture.serve(table);
    assertThat(first.told).isEqualTo(second.told);
  }

  /** The piece that ends at 100 has the replicas 1 and 2. */
  @Test
  void a_piece_goes_to_a_home_while_the_wait_here_is_long() {
    client.close();
    fixture = fixture(1);
    client = new RangeClient(fixture);
    fixture.homes(TestHomes.alone(SECRET));
    String piece = ALL + " WHERE token(k) > 0 AND token(k) <= 100";
    List<Reply> waiting = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      waiting.add(client.ask(piece, -1));
    }
    fixture.homes(TestHomes.divided(PROXY, SECRET, List.of(TWO), List.of(ONE, THREE)));
    Reply reply = client.ask(piece, -1);
    List<MemoryNodes.Asked> sent = sentToHome();
    assertThat(sent).hasSize(1);
    answer(sent.get(0), 0, 0);
    assertThat(reply.told).hasSize(1);
    fixture.serve(table);
    assertThat(waiting).allSatisfy(each -> assertThat(each.told).hasSize(1));
  }

  @Test
  void the_wait_of_a_page_ends_when_the_home_has_sent_its_first_piece() {
    Page page = fixture.page(ALL, -1);
    long begun = fixture.lane.nanoTime();
    List<MemoryNodes.Asked> sent = sentToHome();
    fixture.lane.pass(9);
    assertThat(page.read.sentNanos(-7)).isEqualTo(-7);
    sent.forEach(each -> answer(each, 4_000, 0));
    assertThat(page.read.sentNanos(-7)).isEqualTo(begun + 4_000_000);
  }

  @Test
  void each_piece_that_waited_at_its_home_is_recorded() {
    Page page = fixture.page(ALL, -1);
    TestTrace record = new TestTrace(fixture.lane);
    page.trace = record.trace;
    List<MemoryNodes.Asked> sent = sentToHome();
    sent.forEach(each -> answer(each, 4_000, 0));
    assertThat(record.lines())
        .hasSameSizeAs(sent)
        .allSatisfy(line -> assertThat(line).matches("piece .*: waited at the node's home.*"));
  }

  @Test
  void a_piece_at_its_home_counts_as_being_read_and_is_dropped_at_the_end() {
    Reply reply = client.ask(ALL, -1);
    List<MemoryNodes.Asked> sent = sentToHome();
    assertThat(client.running())
        .singleElement()
        .satisfies(facts -> assertThat(facts.progress().state()).isEqualTo(State.READING));
    client.endAll("enough");
    assertThat(reply.told).containsExactly("2200 enough");
    answer(sent.get(0), 0, 0);
    sent.subList(1, sent.size()).forEach(MemoryNodes.Asked::ignore);
    assertThat(reply.told).hasSize(1);
  }

  /** A piece that its home refuses is first read at its node, which may refuse it too. */
  @Test
  void a_piece_falls_back_once_and_then_tries_each_replica() {
    Reply reply = client.ask(ALL + " WHERE token(k) > 0 AND token(k) <= 100", -1);
    List<MemoryNodes.Asked> sent = sentToHome();
    assertThat(sent).hasSize(1);
    sent.get(0).answer(TestFrames.error(4, 0x1001));
    List<Sent> direct = fixture.sent();
    assertThat(direct).hasSize(1);
    direct.get(0).answer(TestFrames.error(4, 0x1300));
    List<Sent> other = fixture.sent();
    assertThat(other).hasSize(1);
    assertThat(other.get(0).node()).isNotEqualTo(direct.get(0).node());
    assertThat(sentToHome()).as("a second try at the home").isEmpty();
    other.get(0).answer(table);
    assertThat(reply.told).containsExactly("rows [20, 40, 60, 80, 100]");
    assertThat(fixture.counted("sluice.home.fallbacks", "reason", "refused")).isEqualTo(1);
  }

  @Test
  void while_memory_is_short_one_piece_after_the_other_is_sent_to_its_home() {
    fixture.memory.count().accept(40 << 20);
    Reply reply = client.ask(ALL, -1);
    int requests = 0;
    for (List<MemoryNodes.Asked> sent = sentToHome(); !sent.isEmpty(); sent = sentToHome()) {
      assertThat(sent).hasSize(1);
      answer(sent.get(0), 0, 0);
      requests++;
    }
    assertThat(requests).isGreaterThan(3);
    assertThat(reply.told).containsExactly("rows []");
  }

  @Test
  void a_fault_in_the_handling_of_a_homes_answer_fails_the_page_once() {
    Page page = fixture.page(ALL, -1);
    List<MemoryNodes.Asked> sent = sentToHome();
    page.faulty = true;
    answer(sent.get(0), 0, 0);
    assertThat(page.told).singleElement().asString().startsWith("failed Internal");
    page.faulty = false;
    sent.subList(1, sent.size()).forEach(late -> answer(late, 0, 0));
    assertThat(page.told).hasSize(1);
  }

  @Test
  void a_page_that_is_over_does_not_fall_back() {
    Reply reply = client.ask(ALL, -1);
    List<MemoryNodes.Asked> sent = sentToHome();
    sent.get(0).answer(new ForwardedPiece.Receipt(0, 0).addTo(TestFrames.error(4, 0x2200)));
    List<Sent> whole = fixture.sent();
    assertThat(whole).as("the whole read").hasSize(1);
    sent.subList(1, sent.size()).forEach(late -> late.answer(TestFrames.error(4, 0x1001)));
    assertThat(fixture.sent()).as("pieces of the old page").isEmpty();
    assertThat(fixture.counted("sluice.home.fallbacks", "reason", "refused")).isZero();
    whole.get(0).answer(table);
    assertThat(reply.told).containsExactly("rows " + table.keys());
  }

  @Test
  void the_links_to_proxies_are_closed_with_their_owner() {
    List<String> closed = new ArrayList<>();
    PieceHomes homes =
        new PieceHomes(
            fixture.context.dispatcher(),
            new HomeHealth(fixture.lane),
            new HomeMeters(fixture.meters),
            () -> closed.add("links"));
    assertThat(closed).isEmpty();
    homes.close();
    assertThat(closed).containsExactly("links");
  }
}
