package io.sluice.decide.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.Refusal;
import io.sluice.decide.schedule.Demand;
import io.sluice.decide.schedule.NodeLimits;
import io.sluice.decide.schedule.NodeStanding;
import io.sluice.decide.schedule.Permit;
import io.sluice.decide.schedule.Query;
import io.sluice.decide.schedule.QueryFacts;
import io.sluice.decide.schedule.Scheduler;
import io.sluice.decide.schedule.SchedulerWitness.Answer;
import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.decide.schedule.SchedulingConfig.Mode;
import io.sluice.decide.shadow.Shadow.ShadowListener;
import io.sluice.ring.NodeId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests the scheduler in virtual time. Each of two nodes runs one range read at once, for 10 ms as
 * long as its real answer is unknown.
 */
class WorldTest {
  private static final long MS = 1_000_000;
  private static final SchedulingConfig CONFIG = SchedulingConfig.defaults().in(Mode.OBSERVE);
  private static final NodeId A = new NodeId(new UUID(0, 1));
  private static final NodeId B = new NodeId(new UUID(0, 2));
  private static final NodeId UNKNOWN = new NodeId(new UUID(0, 9));
  private static final int ROWS = 1000;

  /** The events in their order, each with its time in ms. */
  private final List<String> log = new ArrayList<>();

  private final List<VirtualRead> started = new ArrayList<>();
  private final Scheduler real = new Scheduler(CONFIG, () -> 0);
  private final World world = world();

  private World world() {
    return new World(CONFIG, Steady::new, new Written(), 0);
  }

  /** A real read, which starts at once. Its number is that of its place in the query. */
  private static final class Read extends Demand {
    Read(Query query, int number, List<NodeId> replicas) {
      super(query, number, replicas, ROWS);
    }

    @Override
    protected void start(Permit permit) {}

    @Override
    protected void refuse(Refusal refusal) {
      throw new AssertionError(refusal);
    }
  }

  /** A server whose reads do not delay each other. */
  private final class Steady implements VirtualServer {
    private final String name;
    private final Map<VirtualRead, Long> ends = new LinkedHashMap<>();

    Steady(NodeId node) {
      this.name = name(node);
      log.add("new server " + name);
    }

    @Override
    public void start(VirtualRead read, long now) {
      started.add(read);
      log.add(read.segment() + " starts at " + name + " " + now / MS);
      ends.put(read, now + 10 * MS);
    }

    @Override
    public void restate(VirtualRead read, double workNanos, long now) {
      log.add(read.segment() + " takes " + (long) (workNanos / MS) + " from " + now / MS);
      ends.put(read, now + (long) workNanos);
    }

    @Override
    public void stop(VirtualRead read, long now) {
      log.add(read.segment() + " stops " + now / MS);
      ends.remove(read);
    }

    @Override
    public long nextEnd() {
      return ends.values().stream().min(Comparator.naturalOrder()).orElse(NEVER);
    }

    @Override
    public VirtualRead end(long now) {
      long first = nextEnd();
      VirtualRead done =
          ends.entrySet().stream()
              .filter(each -> each.getValue() == first)
              .findFirst()
              .orElseThrow()
              .getKey();
      ends.remove(done);
      return done;
    }

    @Override
    public void seen(Answer answer, long now) {
      log.add(name + " has answered after " + answer.tookNanos() / MS + ", " + now / MS);
    }
  }

  private final class Written implements ShadowListener {
    @Override
    public void answered(NodeId node, PriorityClass of, long tookNanos, long at) {
      log.add("real " + of + " " + name(node) + " took " + tookNanos / MS + ", " + at / MS);
    }

    @Override
    public void wouldAnswer(NodeId node, PriorityClass of, long waited, long took, long at) {
      String times = " waited " + waited / MS + " took " + took / MS + ", " + at / MS;
      log.add(of + " " + name(node) + times);
    }

    @Override
    public void wouldRefuse(NodeId node, PriorityClass of, Refusal.Reason reason, long at) {
      log.add(of + " " + name(node) + " refused " + reason + ", " + at / MS);
    }
  }

  private static String name(NodeId node) {
    return node.equals(A) ? "A" : node.equals(B) ? "B" : "unknown";
  }

  private static List<NodeLimits> limits(NodeId... nodes) {
    return List.of(nodes).stream().map(node -> new NodeLimits(node, 2)).toList();
  }

  @BeforeEach
  void two_nodes() {
    real.nodes(limits(A, B, UNKNOWN));
    world.nodes(limits(A, B));
  }

  private Query query() {
    return real.query(QueryFacts.range("ks.t", "tenant", 10_000 * MS, ROWS, ROWS));
  }

  /** Starts a real read without telling the world. */
  private Read begun(Query query, int number, NodeId... replicas) {
    Read read = new Read(query, number, List.of(replicas));
    real.submit(read);
    return read;
  }

  private Read submit(Query query, int number, NodeId... replicas) {
    Read read = begun(query, number, replicas);
    world.submitted(read);
    return read;
  }

  private Read submit(int number, NodeId... replicas) {
    return submit(query(), number, replicas);
  }

  private static Answer answer(long workMillis, long tookMillis) {
    return new Answer(ROWS, ROWS * 100L, (double) (workMillis * MS), tookMillis * MS, 0);
  }

  /** Runs the events up to this time and returns what has happened since the last call. */
  private List<String> until(long millis) {
    world.runUntil(millis * MS);
    return news();
  }

  private List<String> news() {
    List<String> news = List.copyOf(log);
    log.clear();
    return news;
  }

  @Test
  void reads_of_all_nodes_end_in_the_order_of_time() {
    submit(1, A);
    world.runUntil(3 * MS);
    submit(2, B);
    submit(3, A);
    assertThat(until(30))
        .containsExactly(
            "new server A",
            "1 starts at A 0",
            "new server B",
            "2 starts at B 3",
            "RANGE A waited 0 took 10, 10",
            "3 starts at A 10",
            "RANGE B waited 0 took 10, 13",
            "RANGE A waited 7 took 17, 20");
  }

  @Test
  void an_event_at_the_given_time_happens_and_a_later_one_does_not() {
    submit(1, A);
    news();
    world.runUntil(10 * MS - 1);
    assertThat(news()).isEmpty();
    assertThat(until(10)).containsExactly("RANGE A waited 0 took 10, 10");
  }

  @Test
  void time_never_goes_back() {
    world.runUntil(10 * MS);
    world.runUntil(5 * MS);
    submit(1, A);
    assertThat(news()).contains("1 starts at A 10");
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void reads_wait_for_slots_whatever_the_real_mode(Mode mode) {
    world.settings(CONFIG.in(mode));
    submit(1, A);
    submit(2, A);
    assertThat(news()).containsExactly("new server A", "1 starts at A 0");
  }

  @Test
  void a_node_of_lower_standing_gets_no_read_that_another_can_serve() {
    world.standing(A, NodeStanding.SUSPECT);
    submit(1, A, B);
    assertThat(news()).contains("1 starts at B 0");
  }

  @Test
  void the_reads_of_a_removed_node_run_to_their_ends_there() {
    submit(1, A);
    world.nodes(limits(B));
    world.nodes(limits(A, B));
    submit(2, A);
    assertThat(news()).containsExactly("new server A", "1 starts at A 0", "2 starts at A 0");
    assertThat(until(10))
        .containsExactly("RANGE A waited 0 took 10, 10", "RANGE A waited 0 took 10, 10");
  }

  @Test
  void a_removed_node_without_reads_is_forgotten_and_a_known_one_is_not() {
    submit(1, A);
    submit(2, B);
    world.runUntil(10 * MS);
    world.nodes(limits(B));
    world.nodes(limits(A, B));
    news();
    submit(3, A);
    submit(4, B);
    assertThat(news()).containsExactly("new server A", "3 starts at A 10", "4 starts at B 10");
  }

  @Test
  void sub_requests_of_one_query_are_of_one_virtual_query() {
    Query query = query();
    submit(query, 1, A);
    submit(query, 2, B);
    submit(3, B);
    world.runUntil(10 * MS);
    assertThat(started).hasSize(3);
    assertThat(started.get(1).query()).isSameAs(started.get(0).query());
    assertThat(started.get(2).query()).isNotSameAs(started.get(0).query());
  }

  @Test
  void each_world_has_virtual_queries_of_its_own() {
    Query query = query();
    submit(query, 1, A);
    World next = world();
    next.nodes(limits(A));
    next.submitted(begun(query, 2, A));
    assertThat(started).hasSize(2);
    assertThat(started.get(1).query()).isNotSameAs(started.get(0).query());
  }

  @Test
  void work_left_of_a_query_of_another_world_is_ignored() {
    World next = world();
    next.nodes(limits(A));
    next.submitted(begun(query(), 1, A));
    next.submitted(begun(query(), 2, A));
    Query later = query();
    next.submitted(begun(later, 3, A));
    world.remaining(later, 1, 1);
    next.runUntil(10 * MS);
    assertThat(news()).last().isEqualTo("2 starts at A 10");
  }

  @Test
  void a_query_with_less_work_left_passes_an_earlier_one() {
    submit(1, A);
    submit(2, A);
    Query later = query();
    submit(later, 3, A);
    world.remaining(later, 1, 1);
    assertThat(until(10)).endsWith("RANGE A waited 0 took 10, 10", "3 starts at A 10");
  }

  @Test
  void work_left_of_an_unknown_query_is_ignored() {
    world.remaining(query(), 1, 1);
    submit(1, A);
    assertThat(news()).contains("1 starts at A 0");
  }

  @Test
  void a_real_answer_restates_a_read_that_runs() {
    Read read = submit(1, A);
    world.runUntil(4 * MS);
    news();
    world.answered(read, answer(30, 4));
    assertThat(news())
        .containsExactly(
            "A has answered after 4, 4", "real RANGE A took 4, 4", "1 takes 30 from 4");
    assertThat(until(34)).containsExactly("RANGE A waited 0 took 34, 34");
  }

  @Test
  void a_real_answer_before_the_virtual_start_defines_the_work() {
    submit(1, A);
    Read waiting = submit(2, A);
    world.answered(waiting, answer(30, 4));
    assertThat(news()).noneMatch(line -> line.startsWith("2 takes"));
    world.runUntil(10 * MS);
    assertThat(started.get(1).workNanos).isEqualTo(30.0 * MS);
  }

  @Test
  void a_real_answer_after_the_virtual_end_tells_of_the_node_only() {
    Read read = submit(1, A);
    world.runUntil(10 * MS);
    news();
    world.answered(read, answer(30, 12));
    assertThat(news()).containsExactly("A has answered after 12, 10", "real RANGE A took 12, 10");
  }

  @Test
  void a_real_answer_to_a_read_of_an_earlier_world_tells_of_the_node_only() {
    Read unknown = begun(query(), 1, A);
    Read earlier = begun(query(), 2, A);
    World before = world();
    before.nodes(limits(A));
    before.submitted(earlier);
    news();
    world.answered(unknown, answer(30, 4));
    world.answered(earlier, answer(30, 4));
    assertThat(news())
        .containsExactly(
            "new server A",
            "A has answered after 4, 0",
            "real RANGE A took 4, 0",
            "A has answered after 4, 0",
            "real RANGE A took 4, 0");
  }

  @Test
  void a_running_read_that_is_abandoned_stops_and_gives_its_slot_back() {
    Read read = submit(1, A);
    submit(2, A);
    world.runUntil(4 * MS);
    news();
    world.abandoned(read);
    assertThat(news()).containsExactly("1 stops 4", "2 starts at A 4");
    assertThat(until(14)).containsExactly("RANGE A waited 4 took 14, 14");
  }

  @Test
  void a_waiting_read_that_is_abandoned_never_starts() {
    submit(1, A);
    Read waiting = submit(2, A);
    world.abandoned(waiting);
    news();
    assertThat(until(30)).containsExactly("RANGE A waited 0 took 10, 10");
  }

  @Test
  void an_abandoned_read_that_this_world_does_not_know_changes_nothing() {
    Read earlier = begun(query(), 1, A);
    World before = world();
    before.nodes(limits(A));
    before.submitted(earlier);
    news();
    world.abandoned(earlier);
    world.abandoned(begun(query(), 2, A));
    assertThat(news()).isEmpty();
    before.runUntil(10 * MS);
    assertThat(news()).containsExactly("RANGE A waited 0 took 10, 10");
  }

  @Test
  void a_read_that_misses_its_deadline_in_the_queue_is_refused() {
    submit(1, A);
    Query soon = real.query(QueryFacts.range("ks.t", "tenant", 10 * MS, ROWS, ROWS));
    submit(soon, 2, A);
    news();
    assertThat(until(10))
        .containsExactly("RANGE A waited 0 took 10, 10", "RANGE A refused DEADLINE, 10");
  }

  /** The real read went to the node. The virtual scheduler hears of the node a little later. */
  @Test
  void a_read_whose_node_the_world_does_not_know_is_not_a_refusal() {
    submit(1, UNKNOWN);
    assertThat(until(10)).isEmpty();
  }
}
