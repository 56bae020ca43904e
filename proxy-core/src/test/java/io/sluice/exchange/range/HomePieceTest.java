package io.sluice.exchange.range;

import static io.sluice.exchange.range.PageFixture.ALL;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.FakeTable;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.fleet.Homes;
import io.sluice.fleet.TestHomes;
import io.sluice.link.MemoryNodes;
import io.sluice.ring.NodeId;
import io.sluice.wire.Answers;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.ForwardedPiece;
import io.sluice.wire.Frame;
import io.sluice.wire.TestFrames;
import io.sluice.wire.TestRows;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests pieces of one proxy's pages that are queued at another proxy, the home of all nodes. The
 * first proxy connects to it as node 9.
 */
class HomePieceTest {

  private static final int HOME = 9;
  private static final UUID SECRET = new UUID(77, 78);
  private static final SplitConfig SPLIT =
      new SplitConfig(SplitConfig.Parallel.WAVES, 1000, 0, 8, 1 << 20, true);

  private final FakeTable table = new FakeTable(400, 20);
  private final PageFixture client = new PageFixture(SPLIT);
  private PageFixture home = new PageFixture(SPLIT);

  @BeforeEach
  void the_home_is_known() {
    client.learn(table);
    home.learn(table);
    client.homes(TestHomes.allAt(new UUID(0, HOME), SECRET, nodes()));
    home.homes(TestHomes.alone(SECRET));
  }

  @AfterEach
  void nothing_is_left() {
    client.close();
    home.close();
  }

  private static List<NodeId> nodes() {
    return LongStream.rangeClosed(1, PageFixture.NODES)
        .mapToObj(node -> new NodeId(new UUID(0, node)))
        .toList();
  }

  /** Returns the requests that the home has received and not answered. */
  private List<MemoryNodes.Asked> sentToHome() {
    List<MemoryNodes.Asked> sentToHome = new ArrayList<>();
    for (var next = client.nodes.next(HOME); next != null; next = client.nodes.next(HOME)) {
      sentToHome.add(next);
    }
    return sentToHome;
  }

  private void serveAtHome(MemoryNodes.Asked asked) {
    home.guest(asked.request().copy(), asked::answer);
  }

  /** Lets the home's nodes answer until no request is left. */
  private void serve() {
    for (var sentToHome = sentToHome(); !sentToHome.isEmpty(); sentToHome = sentToHome()) {
      sentToHome.forEach(this::serveAtHome);
      home.serve(table);
    }
  }

  private static ForwardedPiece piece(MemoryNodes.Asked asked) {
    return Objects.requireNonNull(ForwardedPiece.of(asked.request()));
  }

  @Test
  void nothing_is_sent_to_a_home_after_a_piece_of_the_wave_was_refused_at_once() {
    List<NodeId> nodes = nodes();
    client.homes(
        TestHomes.divided(new UUID(0, HOME), SECRET, nodes.subList(1, 3), nodes.subList(0, 1)));
    client.refuseAll();

    Page page = client.page(ALL, -1);

    assertThat(page.told).singleElement().asString().startsWith("failed Unreachable");
    assertThat(sentToHome()).isEmpty();
    assertThat(client.memory.used()).isZero();
  }

  /**
   * Memory that waiting pieces take would stop the shared scans of a proxy that is a home itself.
   */
  @Test
  void a_page_of_one_piece_takes_no_memory_while_it_waits_at_a_home() {
    Page page = client.page(ALL, 1);

    assertThat(client.gauge("sluice.split.buffered.bytes")).isZero();
    List<MemoryNodes.Asked> asked = sentToHome();
    assertThat(asked).hasSize(1);
    asked.forEach(this::serveAtHome);
    home.serve(table);
    assertThat(page.told).singleElement().asString().startsWith("rows ");
  }

  /** Checks that the home has received requests, and takes the home down. */
  private void failHomeAfterRequest() {
    List<MemoryNodes.Asked> asked = sentToHome();
    assertThat(asked).isNotEmpty();
    asked.forEach(MemoryNodes.Asked::ignore);
    client.nodes.dies(HOME);
  }

  private double fallbacks(String reason) {
    return client.counted("sluice.home.fallbacks", "reason", reason);
  }

  private void readsDirectly(Page page, String reason, double times) {
    client.serve(table);
    assertThat(page.told).containsExactly("rows " + table.keys());
    assertThat(fallbacks(reason)).isEqualTo(times);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 7, 100})
  void a_page_of_any_size_has_the_rows_of_the_nodes(int pageSize) {
    List<String> told = new ArrayList<>();
    ByteBuffer state = null;
    do {
      Page page = client.page(ALL, pageSize, state);
      assertThat(client.sent()).as("requests of this proxy to nodes").isEmpty();
      serve();
      assertThat(page.told).hasSize(1);
      told.addAll(page.told);
      state = page.pagingState;
    } while (state != null);

    List<Integer> rows =
        Pattern.compile("[0-9]+")
            .matcher(String.join(" ", told))
            .results()
            .map(number -> Integer.valueOf(number.group()))
            .toList();
    assertThat(rows).isEqualTo(table.keys());
    assertThat(home.counted("sluice.home.guests"))
        .isPositive()
        .isEqualTo(client.counted("sluice.home.sent"));
  }

  @Test
  void an_answer_without_a_receipt_is_not_used() {
    Page page = client.page(ALL, -1);
    List<MemoryNodes.Asked> sentToHome = sentToHome();
    sentToHome.forEach(each -> each.answer(new TestRows("k int").frame()));
    readsDirectly(page, "not_a_home", sentToHome.size());

    Page next = client.page(ALL, -1);
    assertThat(sentToHome()).as("requests to the avoided home").isEmpty();
    client.serve(table);
    assertThat(next.told).hasSize(1);
    assertThat(fallbacks("avoided")).isPositive();

    client.lane.pass(5_000);
    client.page(ALL, -1);
    failHomeAfterRequest();
    client.serve(table);
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        ErrorCode.OVERLOADED,
        ErrorCode.IS_BOOTSTRAPPING,
        ErrorCode.READ_TIMEOUT,
        ErrorCode.UNPREPARED
      })
  void a_piece_that_its_home_refuses_is_read_directly(int code) {
    Page page = client.page(ALL, -1);
    List<MemoryNodes.Asked> sentToHome = sentToHome();
    sentToHome.forEach(
        each ->
            each.answer(
                code == ErrorCode.UNPREPARED
                    ? TestFrames.unprepared(4, TestFrames.id("x"), false)
                    : TestFrames.error(4, code)));
    readsDirectly(page, "refused", sentToHome.size());
    client.page(ALL, -1);
    failHomeAfterRequest();
    client.serve(table);
  }

  @Test
  void the_loss_of_a_home_loses_and_duplicates_no_rows() {
    Page page = client.page(ALL, -1);
    List<MemoryNodes.Asked> sentToHome = sentToHome();
    serveAtHome(sentToHome.get(0));
    home.serve(table);
    sentToHome.subList(1, sentToHome.size()).forEach(MemoryNodes.Asked::ignore);
    client.nodes.dies(HOME);
    readsDirectly(page, "lost", sentToHome.size() - 1);

    Page next = client.page(ALL, -1);
    client.serve(table);
    assertThat(next.told).containsExactly("rows " + table.keys());
  }

  @Test
  void a_home_gets_half_of_the_time_and_the_node_the_rest() {
    Page page = client.page(ALL, -1);
    List<MemoryNodes.Asked> sentToHome = sentToHome();
    long half = PageFixture.TIMEOUT.toMillis() / 2;
    assertThat(sentToHome)
        .allSatisfy(
            each -> assertThat(piece(each).place().leftNanos()).isEqualTo(half * 1_000_000));
    client.lane.pass(half);
    readsDirectly(page, "late", sentToHome.size());

    sentToHome.forEach(this::serveAtHome);
    home.serve(table);
    assertThat(page.told).as("late answers are dropped").hasSize(1);
  }

  @Test
  void a_closed_page_leaves_nothing_behind() {
    Page page = client.page(ALL, -1);
    List<MemoryNodes.Asked> sentToHome = sentToHome();
    page.read.close();
    sentToHome.forEach(this::serveAtHome);
    home.serve(table);
    assertThat(page.told).isEmpty();
  }

  @Test
  void after_an_error_of_the_node_another_replica_is_tried() {
    Page page = client.page(ALL, -1);
    List<MemoryNodes.Asked> sentToHome = sentToHome();
    serveAtHome(sentToHome.get(0));
    Sent failed = home.sent().get(0);
    failed.answer(TestFrames.error(4, ErrorCode.READ_TIMEOUT));
    List<Sent> again = client.sent();
    assertThat(again).hasSize(1);
    assertThat(again.get(0).node()).isNotEqualTo(failed.node());
    again.get(0).answer(table);
    sentToHome.subList(1, sentToHome.size()).forEach(this::serveAtHome);
    home.serve(table);
    assertThat(page.told).containsExactly("rows " + table.keys());
  }

  @Test
  void pieces_of_a_congested_client_are_not_sent_to_homes() {
    client.client.congested = true;
    Page page = client.page(ALL, -1);
    assertThat(sentToHome()).isEmpty();
    client.client.congested = false;
    List.copyOf(client.client.waitingForDrain).forEach(Runnable::run);
    serve();
    assertThat(page.told).containsExactly("rows " + table.keys());
  }

  @Test
  void a_piece_with_a_wrong_secret_is_not_accepted() {
    Page page = client.page(ALL, -1);
    List<MemoryNodes.Asked> all = sentToHome();
    MemoryNodes.Asked asked = all.get(0);
    assertThat(home.reads.forwarded(asked.request())).isNotNull();
    home.homes(TestHomes.alone(new UUID(77, 79)));
    assertThat(home.reads.forwarded(asked.request())).isNull();
    home.homes(Homes.NONE);
    assertThat(home.reads.forwarded(asked.request())).isNull();
    all.forEach(MemoryNodes.Asked::ignore);
    page.read.close();
  }

  @Test
  void a_piece_is_forwarded_once() {
    home.homes(TestHomes.allAt(new UUID(0, HOME), new UUID(1, 1), nodes()));
    UUID own = new UUID(6, 6);
    client.homes(TestHomes.allAt(new UUID(0, HOME), own, nodes()));
    Page page = client.page(ALL, -1);
    for (var sentToHome = sentToHome(); !sentToHome.isEmpty(); sentToHome = sentToHome()) {
      sentToHome.forEach(this::serveAtHome);
      assertThat(home.nodes.next(HOME)).as("forwarded again").isNull();
      home.serve(table);
    }
    assertThat(page.told).containsExactly("rows " + table.keys());
  }

  /**
   * The node has one slot for range reads. Of two queued pieces, the one that has waited longer
   * goes first.
   */
  @Test
  void at_home_the_place_of_a_piece_counts_from_the_arrival_of_its_read() {
    home.close();
    home = new PageFixture(SPLIT, 1);
    home.homes(TestHomes.alone(SECRET));
    Frame plain = TestFrames.page(ALL, 100, null);
    List<String> order = new ArrayList<>();
    ask(plain, "holds the place", 0, 1, order);
    ask(plain, "later", 0, 1, order);
    ask(plain, "waits for a second", 1_000_000_000L, 1, order);
    plain.release();
    for (int i = 0; i < 3; i++) {
      List<Sent> sent = home.sent();
      assertThat(sent).hasSize(1);
      sent.get(0).answer(table);
    }
    assertThat(order).containsExactly("holds the place", "waits for a second", "later");
  }

  /** Reads of two proxies' clients for the same rows become one read of the node. */
  @Test
  void pieces_of_several_proxies_are_read_together() {
    home.close();
    home = new PageFixture(SPLIT, 1);
    home.learn(table);
    double before = home.counted("sluice.split.shared");
    home.homes(TestHomes.alone(SECRET));
    Frame plain = TestFrames.page(ALL, 100, null);
    List<String> order = new ArrayList<>();
    ask(plain, "holds the place", 0, 1, order);
    ask(plain, "one", 0, 4, order);
    ask(plain, "other", 0, 4, order);
    plain.release();
    home.sent().get(0).answer(table);
    List<Sent> sent = home.sent();
    assertThat(sent).hasSize(1);
    sent.get(0).answer(table);
    assertThat(order).containsExactlyInAnyOrder("holds the place", "one", "other");
    assertThat(home.counted("sluice.split.shared")).isEqualTo(before + 1);
  }

  private void ask(Frame plain, String name, long aged, int rows, List<String> order) {
    ForwardedPiece.Place place =
        new ForwardedPiece.Place(aged, 5_000_000_000L, rows, 1, "tenant", 0, false);
    ForwardedPiece piece =
        new ForwardedPiece(
            SECRET,
            new UUID(0, 1),
            null,
            ByteBuffer.allocate(8).putLong(0, 100),
            rows,
            null,
            1,
            place);
    home.guest(
        piece.with(plain),
        answer -> {
          assertThat(ForwardedPiece.Receipt.of(answer)).isNotNull();
          assertThat(Answers.rowCount(answer)).isEqualTo(rows);
          answer.release();
          order.add(name);
        });
  }
}
