package io.sluice.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.decide.PriorityClass;
import io.sluice.decide.Refusal;
import io.sluice.decide.plan.ResultRows.Kind;
import io.sluice.decide.plan.ScatterPlanner;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.decide.schedule.NodeLimits;
import io.sluice.decide.schedule.NodeStanding;
import io.sluice.decide.schedule.Query;
import io.sluice.decide.schedule.QueryFacts;
import io.sluice.decide.schedule.Scheduler;
import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.execute.reply.Failure;
import io.sluice.link.LinkConfig;
import io.sluice.link.LinkKey;
import io.sluice.link.LinkPool;
import io.sluice.link.LinkTarget;
import io.sluice.memory.MemoryBudget;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.ring.TestPartitioner;
import io.sluice.time.TestLane;
import io.sluice.tls.Tls;
import io.sluice.tls.TlsConfig;
import io.sluice.watch.ClusterView;
import io.sluice.watch.TestCluster;
import io.sluice.wire.Compression;
import io.sluice.wire.EventLoops;
import io.sluice.wire.Frame;
import io.sluice.wire.Identity;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests failures before a read is sent. Each slot is given back, and the owner gets one outcome.
 */
class ReplicaReadTest {

  private final TestLane lane = new TestLane();
  private final TestClient client = new TestClient(4, lane);
  private final Scheduler scheduler = new Scheduler(SchedulingConfig.defaults(), lane);
  private final EventLoops loops = new EventLoops(1);
  private final LinkPool links =
      new LinkPool(
          loops,
          LinkTarget.NODE,
          Tls.off(TlsConfig.Side.NODE),
          new LinkConfig(
              Compression.NONE,
              Duration.ofSeconds(5),
              Duration.ofSeconds(1),
              Duration.ofSeconds(2),
              Duration.ofSeconds(5),
              Duration.ofMinutes(1)),
          MemoryBudget.unlimited(),
          lane,
          (node, suspect) ->
              scheduler.standing(node, suspect ? NodeStanding.SUSPECT : NodeStanding.NORMAL));

  @AfterEach
  void every_slot_is_free() {
    assertThat(
            scheduler.snapshot().nodes().stream()
                .mapToLong(node -> node.point().inFlight() + node.point().queued()))
        .isNotEmpty()
        .containsOnly(0L);
    links.close();
    loops.close();
  }

  /** A read of several replicas, with its outcome. */
  private final class Owner implements ReplicaRead.Listener {

    final List<NodeId> replicas = new ArrayList<>();
    final List<Failure> failures = new ArrayList<>();
    final ReplicaRead read;
    private final Query query;
    private final Ring ring;
    private final Supplier<@Nullable Frame> frame;
    int tries;
    int lost;
    int deepest;
    boolean wanted = true;
    private Consumer<QueuedRead> placed = place -> {};

    /**
     * Creates an owner. The scheduler knows all of these nodes; {@code present} of them are in the
     * cluster.
     */
    Owner(int nodes, int present, Supplier<@Nullable Frame> frame) {
      this.frame = frame;
      Map<NodeId, Node> known = new LinkedHashMap<>();
      for (int i = 1; i <= nodes; i++) {
        NodeId id = new NodeId(new UUID(0, i));
        replicas.add(id);
        if (i <= present) {
          InetSocketAddress closed = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
          known.put(id, new Node(id, closed, "dc1", "r1", true));
        }
      }
      scheduler.nodes(replicas.stream().map(id -> new NodeLimits(id, 1)).toList());
      query =
          scheduler.query(
              new QueryFacts(PriorityClass.POINT, "ks.t", "role", Long.MAX_VALUE / 2, 1, 1, 1));
      LinkKey key = new LinkKey(Identity.ANONYMOUS, 4, null);
      ring = new Ring(TestPartitioner.ANY, "dc1", known, Map.of());
      read = new ReplicaRead(context(ring), client, key, this);
    }

    @Override
    public Ring ring() {
      return ring;
    }

    /** Takes a place in the queue that is not submitted yet. */
    QueuedRead takesPlace() {
      List<QueuedRead> taken = new ArrayList<>();
      placed = taken::add;
      read.toAnotherReplica();
      placed = place -> {};
      return taken.get(0);
    }

    Owner start() {
      read.start();
      lane.runSoon();
      return this;
    }

    @Override
    public List<NodeId> replicas() {
      return replicas;
    }

    @Override
    public QueuedRead queued(List<NodeId> nodes) {
      tries++;
      deepest = Math.max(deepest, new Throwable().getStackTrace().length);
      QueuedRead place = new QueuedRead(read, query, 0, nodes, 1);
      placed.accept(place);
      return place;
    }

    @Override
    public boolean isWanted() {
      return wanted;
    }

    @Override
    public boolean waitsForClient() {
      return client.congested;
    }

    @Override
    public @Nullable Frame frame(Node node, QueuedRead granted) {
      return frame.get();
    }

    @Override
    public @Nullable Kind rows() {
      return null;
    }

    @Override
    public void attemptLost() {
      lost++;
    }

    @Override
    public void answered(Frame answer, int error) {
      throw new AssertionError("no node answers here");
    }

    @Override
    public void failed(Failure failure) {
      failures.add(failure);
    }
  }

  private ProxyContext context(Ring ring) {
    TestCluster cluster =
        new TestCluster(new ClusterView(ring, (ks, t) -> null, Map.of(), Map.of()));
    ExchangeConfig config =
        new ExchangeConfig(
            Duration.ofSeconds(1),
            SchedulingConfig.defaults(),
            Duration.ofSeconds(1),
            false,
            null,
            List.of());
    return TestContext.of(
            new AtomicReference<>(config),
            lane,
            links,
            cluster,
            scheduler,
            new ScatterPlanner(SplitConfig.defaults()),
            new SimpleMeterRegistry())
        .proxy();
  }

  @Test
  void replicas_that_fail_at_once_are_tried_in_turn_without_nested_calls() {
    Owner few = new Owner(5, 0, () -> null).start();
    Owner many = new Owner(30, 0, () -> null).start();
    assertThat(many.tries).isEqualTo(30);
    assertThat(many.deepest).isLessThan(few.deepest + 25);
    assertThat(many.failures).hasSize(1).first().isInstanceOf(Failure.Unreachable.class);
  }

  @Test
  void a_read_is_tried_at_32_replicas_at_most() {
    Owner owner = new Owner(1_000, 0, () -> null).start();
    assertThat(owner.tries).isEqualTo(32);
    assertThat(owner.failures).hasSize(1);
  }

  @Test
  void a_read_that_is_refused_by_its_queue_fails_with_the_message_of_the_refusal() {
    Owner owner = new Owner(2, 2, () -> null);
    scheduler.nodes(List.of());
    owner.start();
    scheduler.nodes(owner.replicas.stream().map(id -> new NodeLimits(id, 1)).toList());
    assertThat(owner.failures)
        .containsExactly(new Failure.Unreachable("No replica that could answer is reachable"));
    assertThat(owner.tries).isEqualTo(1);
  }

  @Test
  void an_error_while_the_request_is_built_fails_the_read_and_frees_the_slot() {
    for (Error thrown : List.of(new AssertionError("x"), new StackOverflowError())) {
      Owner owner =
          new Owner(
                  3,
                  3,
                  () -> {
                    throw thrown;
                  })
              .start();
      assertThat(owner.failures).hasSize(1).first().isInstanceOf(Failure.Internal.class);
      assertThat(owner.lost).isEqualTo(1);
    }
  }

  @Test
  void a_read_without_a_request_frees_its_slot_and_can_be_started_again() {
    Owner owner = new Owner(2, 2, () -> null).start();
    assertThat(owner.failures).isEmpty();
    owner.start();
    assertThat(owner.tries).isEqualTo(2);
    assertThat(owner.failures).isEmpty();
  }

  @Test
  void a_read_that_is_no_longer_wanted_ends_without_an_outcome() {
    Owner owner = new Owner(2, 0, () -> null);
    owner.wanted = false;
    owner.start();
    assertThat(owner.failures).isEmpty();
  }

  @Test
  void a_read_waits_for_a_congested_client_without_a_slot_and_can_be_cancelled() {
    client.congested = true;
    Owner waits = new Owner(2, 0, () -> null).start();
    assertThat(client.waitingForDrain).hasSize(1);
    waits.read.cancel();
    assertThat(client.waitingForDrain).isEmpty();
    lane.runSoon();
    assertThat(waits.tries).isEqualTo(1);
    assertThat(waits.failures).isEmpty();
  }

  @Test
  void a_refusal_of_a_read_that_is_no_longer_wanted_is_no_failure() {
    Owner owner = new Owner(2, 2, () -> null);
    QueuedRead place = owner.takesPlace();
    owner.wanted = false;
    place.refuse(new Refusal(Refusal.Reason.OVERLOADED, "why"));
    assertThat(owner.failures).isEmpty();
  }

  @Test
  void no_replica_is_tried_after_the_owner_has_marked_all_of_them() {
    Owner owner = new Owner(3, 0, () -> null);
    assertThat(owner.read.otherReplicas()).isEqualTo(owner.replicas);
    owner.replicas.forEach(owner.read::markTried);
    assertThat(owner.read.otherReplicas()).isEmpty();
    assertThat(owner.read.toAnotherReplica()).isFalse();
    assertThat(owner.tries).isZero();
  }
}
