package io.sluice.exchange.range;

import static io.sluice.exchange.range.PageFixture.ALL;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.FakeTable;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.exchange.range.PageFixture.Page;
import io.sluice.exchange.range.PageFixture.Sent;
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
 * Pieces of one proxy's pages that wait at another proxy, the home of all nodes. The first proxy
 * reaches it as number 9.
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

  /** What the home was sent and has not answered. */
  private List<MemoryNodes.Asked> away() {
    List<MemoryNodes.Asked> away = new ArrayList<>();
    for (var next = client.nodes.next(HOME); next != null; next = client.nodes.next(HOME)) {
      away.add(next);
    }
    return away;
  }

  private void atHome(MemoryNodes.Asked asked) {
    home.guest(asked.request().copy(), asked::answer);
  }

  /** The home has its nodes answer, until nothing more is asked. */
  private void serve() {
    for (var away = away(); !away.isEmpty(); away = away()) {
      away.forEach(this::atHome);
      home.serve(table);
    }
  }

  private static ForwardedPiece piece(MemoryNodes.Asked asked) {
    return Objects.requireNonNull(ForwardedPiece.of(asked.request()));
  }

  /** The home has been asked, and goes. */
  private void isAsked() {
    List<MemoryNodes.Asked> asked = away();
    assertThat(asked).isNotEmpty();
    asked.forEach(MemoryNodes.Asked::ignore);
    client.nodes.dies(HOME);
  }

  private double fallbacks(String reason) {
    return client.counted("sluice.home.fallbacks", "reason", reason);
  }

  private void asksDirectly(Page page, String reason, double times) {
    client.serve(table);
    assertThat(page.told).containsExactly("rows " + table.keys());
    assertThat(fallbacks(reason)).isEqualTo(times);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 7, 100})
  void the_rows_are_those_that_nodes_give_whatever_the_page(int pageSize) {
    List<String> told = new ArrayList<>();
    ByteBuffer state = null;
    do {
      Page page = client.page(ALL, pageSize, state);
      assertThat(client.sent()).as("asked by this proxy").isEmpty();
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
  void an_answer_of_any_other_proxy_is_not_taken_for_the_piece() {
    Page page = client.page(ALL, -1);
    List<MemoryNodes.Asked> away = away();
    away.forEach(each -> each.answer(new TestRows("k int").frame()));
    asksDirectly(page, "not_a_home", away.size());

    Page next = client.page(ALL, -1);
    assertThat(away()).as("not asked for a while").isEmpty();
    client.serve(table);
    assertThat(next.told).hasSize(1);
    assertThat(fallbacks("avoided")).isPositive();

    client.lane.pass(5_000);
    client.page(ALL, -1);
    isAsked();
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
  void a_home_that_refuses_is_not_waited_for(int code) {
    Page page = client.page(ALL, -1);
    List<MemoryNodes.Asked> away = away();
    away.forEach(
        each ->
            each.answer(
                code == ErrorCode.UNPREPARED
                    ? TestFrames.unprepared(4, TestFrames.id("x"), false)
                    : TestFrames.error(4, code)));
    asksDirectly(page, "refused", away.size());
    client.page(ALL, -1);
    isAsked();
    client.serve(table);
  }

  @Test
  void a_home_that_is_gone_loses_no_piece_and_doubles_no_row() {
    Page page = client.page(ALL, -1);
    List<MemoryNodes.Asked> away = away();
    atHome(away.get(0));
    home.serve(table);
    away.subList(1, away.size()).forEach(MemoryNodes.Asked::ignore);
    client.nodes.dies(HOME);
    asksDirectly(page, "lost", away.size() - 1);

    Page next = client.page(ALL, -1);
    client.serve(table);
    assertThat(next.told).containsExactly("rows " + table.keys());
  }

  @Test
  void half_of_the_time_is_left_for_the_node_itself() {
    Page page = client.page(ALL, -1);
    List<MemoryNodes.Asked> away = away();
    long half = PageFixture.TIMEOUT.toMillis() / 2;
    assertThat(away)
        .allSatisfy(
            each -> assertThat(piece(each).place().leftNanos()).isEqualTo(half * 1_000_000));
    client.lane.pass(half);
    asksDirectly(page, "late", away.size());

    away.forEach(this::atHome);
    home.serve(table);
    assertThat(page.told).as("late answers are dropped").hasSize(1);
  }

  @Test
  void what_is_not_wanted_any_more_leaves_nothing() {
    Page page = client.page(ALL, -1);
    List<MemoryNodes.Asked> away = away();
    page.read.close();
    away.forEach(this::atHome);
    home.serve(table);
    assertThat(page.told).isEmpty();
  }

  @Test
  void an_error_of_the_node_is_followed_by_another_replica_as_ever() {
    Page page = client.page(ALL, -1);
    List<MemoryNodes.Asked> away = away();
    atHome(away.get(0));
    Sent failed = home.sent().get(0);
    failed.answer(TestFrames.error(4, ErrorCode.READ_TIMEOUT));
    List<Sent> again = client.sent();
    assertThat(again).hasSize(1);
    assertThat(again.get(0).node()).isNotEqualTo(failed.node());
    again.get(0).answer(table);
    away.subList(1, away.size()).forEach(this::atHome);
    home.serve(table);
    assertThat(page.told).containsExactly("rows " + table.keys());
  }

  @Test
  void a_client_that_does_not_keep_up_sends_nothing_to_homes() {
    client.client.congested = true;
    Page page = client.page(ALL, -1);
    assertThat(away()).isEmpty();
    client.client.congested = false;
    List.copyOf(client.client.waitingForDrain).forEach(Runnable::run);
    serve();
    assertThat(page.told).containsExactly("rows " + table.keys());
  }

  @Test
  void a_wrong_proof_is_none() {
    Page page = client.page(ALL, -1);
    List<MemoryNodes.Asked> all = away();
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
    for (var away = away(); !away.isEmpty(); away = away()) {
      away.forEach(this::atHome);
      assertThat(home.nodes.next(HOME)).as("sent on").isNull();
      home.serve(table);
    }
    assertThat(page.told).containsExactly("rows " + table.keys());
  }

  /** One place for range reads, and of two that wait the one that has waited longer goes first. */
  @Test
  void at_home_a_piece_has_the_place_that_its_read_has() {
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

  /** The reads of two proxies' clients for the same rows are one read of the node. */
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
