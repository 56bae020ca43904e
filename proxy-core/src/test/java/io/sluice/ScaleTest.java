package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.decide.PriorityClass;
import io.sluice.decide.Refusal;
import io.sluice.decide.classify.Classified;
import io.sluice.decide.classify.Classifier;
import io.sluice.decide.plan.ScatterPlanner;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.decide.predict.Densities;
import io.sluice.decide.predict.TableDensity;
import io.sluice.decide.schedule.Demand;
import io.sluice.decide.schedule.NodeLimits;
import io.sluice.decide.schedule.Permit;
import io.sluice.decide.schedule.QueryFacts;
import io.sluice.decide.schedule.Scheduler;
import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.meter.NodeMeters;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.ring.Table;
import io.sluice.ring.TestPartitioner;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import io.sluice.time.NanoClock;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * A cluster of 1 000 nodes with 256 tokens each, and 10 000 tables. Work for one node or table must
 * not grow with their number; the tests count work and never measure time.
 */
class ScaleTest {
  private static final int NODES = 1_000;
  private static final int VNODES = 256;
  private static final int TABLES = 10_000;
  private static final int REPLICAS = 3;

  private static final Ring RING = ring();

  /** A clock that counts its reads: one for each lock that is taken to show the state of a node. */
  private static final class Clock implements NanoClock {
    private long reads;

    @Override
    public long nanoTime() {
      return reads++;
    }
  }

  private static final class Read extends Demand {
    Read(Scheduler scheduler, int table) {
      super(
          scheduler.query(
              new QueryFacts(
                  PriorityClass.RANGE, "ks.t" + table, "role", Long.MAX_VALUE, 10, 10, 1)),
          0,
          RING.replicas("ks", new Token.Murmur3(table * 1_000_003L)),
          10);
    }

    @Override
    protected void start(Permit permit) {
      permit.finish(10, 1_000);
    }

    @Override
    protected void refuse(Refusal refusal) {
      throw new AssertionError(refusal.message());
    }
  }

  private final Clock clock = new Clock();
  private final Scheduler scheduler = new Scheduler(SchedulingConfig.defaults(), clock);

  private static NodeId id(int node) {
    return new NodeId(new UUID(0, node));
  }

  private static Ring ring() {
    Map<NodeId, Node> nodes = new HashMap<>();
    for (int i = 0; i < NODES; i++) {
      InetSocketAddress address =
          new InetSocketAddress(InetAddress.getLoopbackAddress(), 10_000 + i);
      nodes.put(id(i), new Node(id(i), address, "dc", "r", true));
    }
    List<Token> ends = new ArrayList<>();
    List<List<NodeId>> owners = new ArrayList<>();
    long width = Long.MAX_VALUE / (NODES * VNODES / 2);
    for (int i = 0; i < NODES * VNODES; i++) {
      ends.add(new Token.Murmur3(Long.MIN_VALUE + 1 + i * width));
      List<NodeId> replicas = new ArrayList<>();
      for (int r = 0; r < REPLICAS; r++) {
        replicas.add(id((i + r) % NODES));
      }
      owners.add(replicas);
    }
    return new Ring(
        TestPartitioner.ANY, "dc", nodes, Map.of("ks", new Ring.Replicas(ends, owners)));
  }

  private void nodesJoin() {
    scheduler.nodes(RING.local().stream().map(node -> new NodeLimits(node.id(), 32)).toList());
  }

  @Test
  void a_scrape_takes_as_many_locks_as_there_are_nodes() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    NodeMeters meters = new NodeMeters(registry, scheduler, () -> 0);
    nodesJoin();
    meters.changed(RING);
    clock.reads = 0;

    registry.forEachMeter(meter -> meter.measure().forEach(each -> each.getValue()));

    assertThat(registry.getMeters().size()).isGreaterThan(15 * NODES);
    assertThat(clock.reads).isEqualTo(NODES);
  }

  @Test
  void a_read_of_any_table_uses_only_the_queues_of_its_replicas() {
    nodesJoin();
    clock.reads = 0;

    for (int table = 0; table < TABLES; table++) {
      scheduler.submit(new Read(scheduler, table));
    }

    assertThat(clock.reads).isLessThanOrEqualTo(6L * TABLES);
    assertThat(
            scheduler.snapshot().nodes().stream()
                .mapToLong(node -> node.range().dispatched())
                .sum())
        .isEqualTo(TABLES);
  }

  @Test
  void the_densities_of_all_tables_are_kept() {
    ScatterPlanner planner = new ScatterPlanner(SplitConfig.defaults());
    Densities densities = new Densities();
    Set<TableDensity> kept = new HashSet<>();
    for (int i = 0; i < TABLES; i++) {
      TableDensity density = density(planner, densities, i);
      density.learn(TokenRange.ALL, i, 10L * i);
      kept.add(density);
    }

    assertThat(kept).hasSize(TABLES);
    int known = 0;
    for (int i = 0; i < TABLES; i++) {
      known += density(planner, densities, i).known() ? 1 : 0;
    }
    assertThat(known).isEqualTo(TABLES);
  }

  private static TableDensity density(ScatterPlanner planner, Densities densities, int table) {
    Table of = new Table("ks", "t" + table, List.of(new Table.KeyColumn("k", "int")));
    String cql = "SELECT k FROM ks." + of.name();
    Classified statement =
        new Classifier().classify(cql, null, (keyspace, name) -> of, TestPartitioner.ANY);
    return densities.of(of, planner.splittable(cql, statement, of));
  }
}
