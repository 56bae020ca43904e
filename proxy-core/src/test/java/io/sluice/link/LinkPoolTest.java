package io.sluice.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufUtil;
import io.sluice.link.Link.AnswerHandler;
import io.sluice.link.Link.LinkWaiter;
import io.sluice.memory.MemoryBudget;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.time.Lane;
import io.sluice.time.SystemTime;
import io.sluice.tls.Tls;
import io.sluice.tls.TlsConfig;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.EventLoops;
import io.sluice.wire.FakeNode;
import io.sluice.wire.Frame;
import io.sluice.wire.Identity;
import io.sluice.wire.Opcode;
import io.sluice.wire.TestFrames;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of real connections of two lanes to nodes on loopback. */
class LinkPoolTest {

  private static final LinkKey ANYBODY = new LinkKey(Identity.ANONYMOUS, 4, null);
  private static final LinkKey ALICE = new LinkKey(Identity.plain("alice", "a1"), 4, null);
  private static final LinkKey BOB = new LinkKey(Identity.plain("bob", "b2"), 4, null);

  private final EventLoops loops = new EventLoops(2);
  private final Lane one = loops.anyLane();
  private final Lane two = loops.anyLane();
  private final FakeNode fake = new FakeNode();
  private final Node node = new Node(new NodeId(new UUID(0, 1)), fake.address(), "dc", "r", true);
  private final BlockingQueue<String> suspects = new LinkedBlockingQueue<>();
  private final LinkPool pool =
      new LinkPool(
          loops,
          LinkTarget.NODE,
          Tls.off(TlsConfig.Side.NODE),
          LinkConfig.defaults(),
          MemoryBudget.unlimited(),
          new SystemTime(),
          (id, suspect) -> suspects.add((suspect ? "suspect " : "fine ") + id));

  /** The outcome of requesting a link. */
  private record Outcome(@Nullable Link link, @Nullable LinkFailure failure, boolean onLane) {}

  private interface Asking {
    void ask(LinkWaiter waiter);
  }

  private static Outcome outcome(Lane lane, Asking asking) throws Exception {
    return outcomeOf(lane, asking).get(10, TimeUnit.SECONDS);
  }

  private static CompletableFuture<Outcome> outcomeOf(Lane lane, Asking asking) {
    CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    LinkWaiter waiter =
        new LinkWaiter() {
          @Override
          public void ready(Link link) {
            outcome.complete(new Outcome(link, null, lane.isCurrent()));
          }

          @Override
          public void failed(LinkFailure failure) {
            outcome.complete(new Outcome(null, failure, lane.isCurrent()));
          }
        };
    lane.execute(() -> asking.ask(waiter));
    return outcome;
  }

  private Outcome acquire(Lane lane, Node from, LinkKey key) throws Exception {
    return outcome(lane, waiter -> pool.acquire(lane, from, key, waiter));
  }

  private Link link(Lane lane, LinkKey key) throws Exception {
    return Objects.requireNonNull(acquire(lane, node, key).link());
  }

  private static void eventually(BooleanSupplier condition) {
    Awaitility.await().atMost(Duration.ofSeconds(10)).until(condition::getAsBoolean);
  }

  /** A node that asks every client for authentication, and the tokens that it has received. */
  private List<String> asksForProof(String wanted) {
    List<String> proofs = new ArrayList<>();
    fake.admits(
        request -> {
          if (request.opcode() == Opcode.STARTUP) {
            return TestFrames.of("84 00 0000 03 00000003 0001 41");
          }
          ByteBuffer token = Objects.requireNonNull(CqlCodec.readAuthResponse(request));
          String proof = StandardCharsets.UTF_8.decode(token).toString().replace('\0', '|');
          proofs.add(proof);
          return proof.equals(wanted)
              ? TestFrames.of("84 00 0000 10 00000004 ffffffff")
              : CqlCodec.error(4, ErrorCode.BAD_CREDENTIALS, "who are you?");
        });
    return proofs;
  }

  @AfterEach
  void close() {
    pool.close();
    fake.close();
    loops.close();
  }

  @Test
  void a_lane_has_one_link_to_a_node_for_all_of_its_requests_with_the_same_key() throws Exception {
    Link first = link(one, ANYBODY);
    assertThat(link(one, ANYBODY)).isSameAs(first);
    assertThat(fake.connections()).isEqualTo(1);
  }

  /** For example a session whose keyspace was dropped, or a client that guesses names. */
  @Test
  void a_keyspace_that_does_not_exist_costs_a_use_and_no_login() throws Exception {
    List<String> proofs = asksForProof("|alice|a1");
    fake.does(
        request ->
            TestFrames.hex(request).contains(hex("nosuch"))
                ? CqlCodec.error(4, ErrorCode.INVALID, "Keyspace does not exist")
                : TestFrames.used(4, "ks"));
    for (int i = 0; i < 5; i++) {
      LinkFailure failure = acquire(one, node, alice("nosuch" + i)).failure();
      assertThat(failure).isEqualTo(new LinkFailure(ErrorCode.INVALID, "Keyspace does not exist"));
    }
    assertThat(proofs).hasSize(1);
    assertThat(fake.heard).hasSize(5).containsOnly(Opcode.QUERY);
    assertThat(acquire(one, node, alice("ks")).link()).isNotNull();
    assertThat(proofs).as("the same link, in a keyspace now").hasSize(1);
    assertThat(acquire(one, node, alice("nosuch")).failure()).isNotNull();
    assertThat(proofs).hasSize(2);
  }

  @Test
  void many_keyspaces_at_once_that_do_not_exist_cost_few_logins() throws Exception {
    List<String> proofs = asksForProof("|alice|a1");
    fake.does(request -> CqlCodec.error(4, ErrorCode.INVALID, "Keyspace does not exist"));
    List<CompletableFuture<Outcome>> asked = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      LinkKey key = alice("nosuch" + i);
      asked.add(outcomeOf(one, waiter -> pool.acquire(one, node, key, waiter)));
    }
    for (CompletableFuture<Outcome> each : asked) {
      assertThat(each.get(10, TimeUnit.SECONDS).failure()).isNotNull();
    }
    assertThat(fake.heard).hasSize(200).containsOnly(Opcode.QUERY);
    assertThat(proofs).hasSizeLessThanOrEqualTo(8);
  }

  @Test
  void a_spare_link_that_was_lost_is_replaced() throws Exception {
    fake.does(request -> CqlCodec.error(4, ErrorCode.INVALID, "Keyspace does not exist"));
    assertThat(acquire(one, node, alice("nosuch")).failure()).isNotNull();
    fake.die();
    fake.does(request -> TestFrames.used(4, "ks"));
    assertThat(acquire(one, node, alice("ks")).link()).isNotNull();
    assertThat(suspects).doesNotContain("suspect " + node.id());
  }

  private static LinkKey alice(String keyspace) {
    return new LinkKey(ALICE.identity(), 4, keyspace);
  }

  private static String hex(String text) {
    return ByteBufUtil.hexDump(text.getBytes(StandardCharsets.US_ASCII));
  }

  @Test
  void each_lane_has_its_own_links_and_is_called_on_itself() throws Exception {
    Outcome ones = acquire(one, node, ANYBODY);
    Outcome twos = acquire(two, node, ANYBODY);
    assertThat(ones.link()).isNotNull().isNotSameAs(twos.link());
    assertThat(List.of(ones, twos)).allMatch(Outcome::onLane);
    assertThat(fake.connections()).isEqualTo(2);
    eventually(() -> pool.size() == 2);
  }

  @Test
  void responses_arrive_on_the_links_lane() throws Exception {
    fake.does(request -> CqlCodec.ready(4));
    Link link = link(two, ANYBODY);
    CompletableFuture<Boolean> onLane = new CompletableFuture<>();
    two.execute(
        () ->
            link.send(
                CqlCodec.query(4, "SELECT"),
                new AnswerHandler() {
                  @Override
                  public void answered(Frame answer) {
                    answer.release();
                    onLane.complete(two.isCurrent());
                  }

                  @Override
                  public void lost(String reason) {
                    onLane.completeExceptionally(new AssertionError(reason));
                  }
                }));
    assertThat(onLane.get(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void a_failed_login_is_told_in_the_node_s_words_and_the_node_is_not_suspect() throws Exception {
    List<String> proofs = asksForProof("|alice|a1");
    Outcome bob = acquire(one, node, BOB);
    assertThat(bob.failure()).isEqualTo(new LinkFailure(ErrorCode.BAD_CREDENTIALS, "who are you?"));
    Link alice = link(one, ALICE);
    assertThat(alice.isOpen()).isTrue();
    assertThat(proofs).containsExactly("|bob|b2", "|alice|a1");
    eventually(() -> fake.connections() == 1);
    assertThat(suspects).doesNotContain("suspect " + node.id());
  }

  /** No identity gets a link that another identity has authenticated. */
  @Test
  void a_link_is_not_lent_to_another_identity() throws Exception {
    List<String> proofs = asksForProof("|alice|a1");
    link(one, ALICE);
    assertThat(acquire(one, node, BOB).failure()).isNotNull();
    assertThat(acquire(one, node, ANYBODY).failure()).isNotNull();
    assertThat(proofs).hasSize(3);
  }

  @Test
  void a_node_that_does_not_listen_is_suspect() throws Exception {
    fake.close();
    Outcome outcome = acquire(one, node, ANYBODY);
    assertThat(outcome.failure()).isNotNull().returns(false, LinkFailure::refused);
    assertThat(outcome.failure().message()).startsWith("cannot connect to " + node.address());
    assertThat(outcome.onLane()).isTrue();
    assertThat(suspects).containsExactly("suspect " + node.id());
  }

  @Test
  void a_client_s_handshake_has_a_separate_connection_on_which_nothing_was_sent() throws Exception {
    List<Integer> greeted = new ArrayList<>();
    fake.admits(
        request -> {
          greeted.add(request.opcode());
          return CqlCodec.ready(4);
        });
    link(one, ANYBODY);
    Outcome first = outcome(one, waiter -> pool.open(one, node, 4, waiter));
    Outcome second = outcome(one, waiter -> pool.open(one, node, 4, waiter));
    assertThat(first.link()).isNotNull().isNotSameAs(second.link());
    eventually(() -> fake.connections() == 3);
    assertThat(greeted).as("from the pool's own link").containsExactly(Opcode.STARTUP);
    Objects.requireNonNull(first.link()).close("done");
    Objects.requireNonNull(second.link()).close("done");
  }

  private void trial(LinkKey as) {
    NodeTrials trials = new NodeTrials(pool, one, as.identity(), List::of, () -> false);
    one.execute(() -> trials.attempt(node));
  }

  @Test
  void a_trial_of_a_node_shows_that_it_is_back() throws Exception {
    asksForProof("|alice|a1");
    trial(ALICE);
    assertThat(suspects.poll(10, TimeUnit.SECONDS)).isEqualTo("fine " + node.id());
    eventually(() -> fake.connections() == 0);
    assertThat(pool.size()).isZero();
  }

  /** Clients would be refused by a node of another cluster at the address of a dead one. */
  @Test
  void a_trial_that_is_refused_or_finds_another_node_changes_nothing() {
    List<String> proofs = asksForProof("|alice|a1");
    trial(BOB);
    eventually(() -> proofs.size() == 1 && fake.connections() == 0);
    fake.identified(new UUID(0, 7));
    trial(ALICE);
    eventually(() -> proofs.size() == 2 && fake.connections() == 0);
    assertThat(suspects).isEmpty();
  }

  @Test
  void a_closed_pool_has_no_links_and_gives_none() throws Exception {
    link(one, ANYBODY);
    link(two, ALICE);
    eventually(() -> pool.size() == 2);
    pool.close();
    eventually(() -> pool.size() == 0 && fake.connections() == 0);
    LinkFailure stopping = LinkFailure.unreachable("Sluice is stopping");
    assertThat(acquire(one, node, ANYBODY).failure()).isEqualTo(stopping);
    Outcome opened = outcome(one, waiter -> pool.open(one, node, 4, waiter));
    assertThat(opened.failure()).isNotNull();
    eventually(() -> fake.connections() == 0);
  }

  /** A node that accepts connections and sends nothing must not delay the shutdown. */
  @Test
  void waiters_for_a_handshake_fail_when_the_pool_closes() throws Exception {
    fake.hangs();
    CompletableFuture<LinkFailure> told = new CompletableFuture<>();
    one.execute(
        () ->
            pool.acquire(
                one,
                node,
                ANYBODY,
                new LinkWaiter() {
                  @Override
                  public void ready(Link link) {
                    told.completeExceptionally(new AssertionError("ready"));
                  }

                  @Override
                  public void failed(LinkFailure failure) {
                    told.complete(failure);
                  }
                }));
    eventually(() -> fake.connections() == 1);
    pool.close();
    assertThat(told.get(10, TimeUnit.SECONDS).message()).isEqualTo("Sluice is stopping");
  }
}
