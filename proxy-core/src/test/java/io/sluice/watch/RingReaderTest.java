package io.sluice.watch;

import static io.sluice.watch.DriverMetadata.id;
import static io.sluice.watch.DriverMetadata.set;
import static io.sluice.watch.DriverMetadata.simple;
import static io.sluice.watch.DriverMetadata.topology;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.metadata.NodeState;
import com.datastax.oss.driver.api.core.metadata.TokenMap;
import com.datastax.oss.driver.internal.core.metadata.DefaultNode;
import com.datastax.oss.driver.internal.core.metadata.token.DefaultReplicationStrategyFactory;
import com.datastax.oss.driver.internal.core.metadata.token.DefaultTokenMap;
import com.datastax.oss.driver.internal.core.metadata.token.Murmur3Token;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The conversion of the driver's nodes and tokens, compared with the driver's own token map. */
class RingReaderTest {

  private final DriverMetadata driver = new DriverMetadata();

  private Ring ring(@Nullable TokenMap tokens) {
    return new RingReader("here", DriverPartitioner.MURMUR3).ring(driver.metadata(tokens));
  }

  private static NodeId nodeId(long number) {
    return new NodeId(new UUID(0, number));
  }

  /** Returns the numbers of the nodes that own {@code token}. */
  private static List<Long> owners(Ring ring, String keyspace, long token) {
    return ring.replicas(keyspace, new Token.Murmur3(token)).stream()
        .map(owner -> owner.hostId().getLeastSignificantBits())
        .toList();
  }

  @Test
  void nodes_have_their_location_and_their_state() {
    driver.node(1, "here", "r1", 0);
    set(driver.node(2, "there", "r2", 10), "state", NodeState.DOWN);
    set(driver.node(3, "here", "r1", 20), "state", NodeState.UNKNOWN);
    set(driver.node(4, "here", "r1", 30), "state", NodeState.FORCED_DOWN);
    Ring ring = ring(driver.tokens());
    assertThat(ring.nodes().values())
        .containsExactlyInAnyOrder(
            new Node(nodeId(1), new InetSocketAddress("10.0.0.1", 9042), "here", "r1", true),
            new Node(nodeId(2), new InetSocketAddress("10.0.0.2", 9042), "there", "r2", false),
            new Node(nodeId(3), new InetSocketAddress("10.0.0.3", 9042), "here", "r1", true),
            new Node(nodeId(4), new InetSocketAddress("10.0.0.4", 9042), "here", "r1", false));
    assertThat(ring.local()).extracting(Node::id).containsExactly(nodeId(1), nodeId(3), nodeId(4));
  }

  @Test
  void simple_strategy_goes_round_the_ring() {
    driver.node(1, "here", "r1", -100);
    driver.node(2, "here", "r1", 0);
    driver.node(3, "here", "r1", 100);
    driver.keyspace("ks", simple(2));
    Ring ring = ring(driver.tokens());
    assertThat(owners(ring, "ks", Long.MIN_VALUE + 1)).containsExactly(1L, 2L);
    assertThat(owners(ring, "ks", -100)).containsExactly(1L, 2L);
    assertThat(owners(ring, "ks", -99)).containsExactly(2L, 3L);
    assertThat(owners(ring, "ks", 0)).containsExactly(2L, 3L);
    assertThat(owners(ring, "ks", 100)).containsExactly(3L, 1L);
    assertThat(owners(ring, "ks", 101)).containsExactly(1L, 2L);
    assertThat(owners(ring, "ks", Long.MAX_VALUE)).containsExactly(1L, 2L);
  }

  @Test
  void of_several_data_centres_only_local_owners_count() {
    driver.node(1, "here", "r1", -100);
    driver.node(2, "there", "r1", -50);
    driver.node(3, "here", "r2", 0);
    driver.node(4, "there", "r1", 50);
    driver.keyspace("both", topology(Map.of("here", "1", "there", "2")));
    driver.keyspace("away", topology(Map.of("there", "1")));
    Ring ring = ring(driver.tokens());
    assertThat(owners(ring, "both", -100)).containsExactly(1L);
    assertThat(owners(ring, "both", -60)).containsExactly(3L);
    assertThat(owners(ring, "away", -60)).as("a keyspace without replicas here").isEmpty();
    assertThat(ring.owners("away")).isNull();
  }

  @Test
  void each_data_centre_has_its_own_owners() {
    driver.node(1, "here", "r1", -100);
    driver.node(2, "there", "r1", -50);
    driver.node(3, "here", "r2", 0);
    driver.node(4, "there", "r1", 50);
    driver.keyspace("both", topology(Map.of("here", "1", "there", "1")));
    driver.keyspace("away", topology(Map.of("there", "1")));
    driver.keyspace("simple", simple(1));
    Ring ring = ring(driver.tokens());
    Ring there = ring.in("there");
    assertThat(ring.datacenters()).containsExactly("here", "there");
    assertThat(ring.in("here")).isSameAs(ring);
    assertThat(there.local()).extracting(Node::id).containsExactly(nodeId(2), nodeId(4));
    assertThat(owners(there, "both", -60)).containsExactly(2L);
    assertThat(owners(there, "away", 0)).containsExactly(4L);
    assertThat(owners(there, "simple", -60)).containsExactly(2L);
    assertThat(owners(there, "simple", -100)).as("a range that only others own").isEmpty();
    assertThat(there.node(nodeId(1))).isNotNull();
    assertThat(ring.in("nowhere").local()).isEmpty();
    assertThat(ring.in("nowhere").owners("both")).isNull();
    assertThat(ring.scheduled()).hasSize(2);
    assertThat(ring.scheduling(List.of("there", "nowhere")).scheduled()).hasSize(4);
  }

  @Test
  void one_node_with_one_token_owns_all() {
    driver.node(1, "here", "r1", 42);
    driver.keyspace("ks", simple(1));
    Ring ring = ring(driver.tokens());
    for (long token : new long[] {Long.MIN_VALUE + 1, 41, 42, 43, Long.MAX_VALUE}) {
      assertThat(owners(ring, "ks", token)).containsExactly(1L);
    }
    Ring.Replicas replicas = ring.owners("ks");
    assertThat(replicas).isNotNull();
    assertThat(replicas.segments()).containsExactly(TokenRange.ALL);
    assertThat(replicas.after(null)).containsExactly(nodeId(1));
  }

  /** Random racks, virtual nodes and two data centres. */
  @Test
  void every_token_has_the_owners_that_the_driver_finds() {
    Random random = new Random(20_261_122);
    for (int round = 0; round < 40; round++) {
      driver.nodes.clear();
      driver.keyspaces.clear();
      List<Long> all = new ArrayList<>();
      int count = 1 + random.nextInt(7);
      for (int number = 1; number <= count; number++) {
        long[] tokens = random.longs(1 + random.nextInt(5)).toArray();
        for (long token : tokens) {
          all.add(token);
        }
        String datacenter = number > 1 && random.nextInt(3) == 0 ? "there" : "here";
        driver.node(number, datacenter, "r" + random.nextInt(3), tokens);
      }
      driver.keyspace("simple", simple(1 + random.nextInt(4)));
      driver.keyspace(
          "topology", topology(Map.of("here", "" + (1 + random.nextInt(3)), "there", "2")));
      TokenMap oracle = driver.tokens();
      Ring ring = ring(oracle);
      all.addAll(List.of(Long.MIN_VALUE + 1, Long.MAX_VALUE));
      random.longs(50).forEach(all::add);
      for (long token : List.copyOf(all)) {
        for (String keyspace : List.of("simple", "topology")) {
          assertThat(owners(ring, keyspace, token))
              .as("%s, round %d, token %d", keyspace, round, token)
              .isEqualTo(expected(oracle, keyspace, token));
        }
      }
    }
  }

  private static List<Long> expected(TokenMap oracle, String keyspace, long token) {
    List<Long> here = new ArrayList<>();
    for (com.datastax.oss.driver.api.core.metadata.Node owner :
        oracle.getReplicas(id(keyspace), new Murmur3Token(token))) {
      long number = Objects.requireNonNull(owner.getHostId()).getLeastSignificantBits();
      if ("here".equals(owner.getDatacenter())) {
        here.add(number);
      }
    }
    return here;
  }

  /** Such a node is joining, or is only a coordinator: it accepts requests, but owns nothing. */
  @Test
  void a_node_without_tokens_is_there_and_owns_nothing() {
    driver.node(1, "here", "r1", 0);
    driver.node(2, "here", "r1");
    driver.keyspace("ks", simple(2));
    Ring ring = ring(driver.tokens());
    assertThat(ring.local()).hasSize(2);
    assertThat(owners(ring, "ks", 7)).containsExactly(1L);
  }

  /** A contact point has no id until it has answered. */
  @Test
  void a_node_without_an_id_is_left_out_of_nodes_and_owners() {
    driver.nodes.add(DriverMetadata.driverNode(1, null, "here", "r1", -10));
    driver.node(2, "here", "r1", 10);
    driver.keyspace("ks", simple(2));
    Ring ring = ring(driver.tokens());
    assertThat(ring.nodes()).containsOnlyKeys(nodeId(2));
    assertThat(owners(ring, "ks", -10)).containsExactly(2L);
  }

  /** The driver's token map is older than its nodes if the driver could not compute a new one. */
  @Test
  void an_owner_that_has_left_does_not_count() {
    DefaultNode leaves = driver.node(1, "here", "r1", -10);
    driver.node(2, "here", "r1", 10);
    driver.keyspace("ks", simple(2));
    TokenMap old = driver.tokens();
    driver.nodes.remove(leaves);
    assertThat(owners(ring(old), "ks", -10)).containsExactly(2L);
  }

  @Test
  void no_owners_are_known_before_the_driver_knows_tokens() {
    driver.node(1, "here", "r1", 0);
    driver.keyspace("ks", simple(1));
    Ring ring = ring(null);
    assertThat(ring.local()).hasSize(1);
    assertThat(ring.owners("ks")).isNull();
    assertThat(owners(ring, "ks", 0)).isEmpty();
  }

  @Test
  void a_ring_without_any_token_has_no_owners() {
    driver.node(1, "here", "r1");
    driver.keyspace("ks", simple(1));
    assertThat(ring(driver.tokens()).owners("ks")).isNull();
  }

  /** The driver computes no token map for an unknown strategy, and keeps the previous one. */
  @Test
  void a_keyspace_that_the_driver_s_token_map_does_not_have_has_no_known_owners() {
    driver.node(1, "here", "r1", 0);
    driver.node(2, "here", "r1", 10);
    driver.keyspace("ks", simple(1));
    TokenMap old = driver.tokens();
    driver.keyspace("own", Map.of("class", "com.example.OurOwnStrategy"));
    Ring ring = ring(old);
    assertThat(owners(ring, "own", 5)).isEmpty();
    assertThat(owners(ring, "ks", 5)).containsExactly(2L);
  }

  private void hundredRanges() {
    for (int number = 1; number <= 4; number++) {
      int of = number;
      driver.node(number, "here", "r1", LongStream.range(0, 25).map(i -> i * 4 + of).toArray());
    }
  }

  @Test
  void keyspaces_with_the_same_replication_share_their_owners() {
    hundredRanges();
    for (int i = 0; i < 50; i++) {
      driver.keyspace("two" + i, simple(2));
      driver.keyspace("three" + i, simple(3));
    }
    CountedTokenMap map = new CountedTokenMap(driver.tokens());
    Ring ring = ring(map);
    assertThat(map.asked()).isEqualTo(200);
    assertThat(ring.owners("two0")).isSameAs(ring.owners("two49"));
    assertThat(ring.owners("three0")).isNotSameAs(ring.owners("two0"));
    assertThat(ring.replicas("two0", new Token.Murmur3(1)))
        .as("ranges with the same owners share their list")
        .isSameAs(ring.replicas("two0", new Token.Murmur3(5)));
  }

  @Test
  void a_node_that_goes_down_or_a_new_keyspace_costs_no_pass_over_the_ring() {
    hundredRanges();
    driver.keyspace("ks", simple(2));
    DefaultTokenMap map = (DefaultTokenMap) driver.tokens();
    RingReader reader = new RingReader("here", DriverPartitioner.MURMUR3);
    Ring before = reader.ring(driver.metadata(map));
    set(driver.nodes.get(0), "state", NodeState.DOWN);
    CountedTokenMap unchanged = new CountedTokenMap(map);
    Ring down = reader.ring(driver.metadata(unchanged));
    assertThat(down.local().get(0).up()).isFalse();
    assertThat(down.owners("ks")).isSameAs(before.owners("ks"));
    driver.keyspace("same", simple(2));
    driver.keyspace("other", simple(1));
    CountedTokenMap more =
        new CountedTokenMap(
            map.refresh(
                List.copyOf(driver.nodes),
                driver.keyspaces.values(),
                new DefaultReplicationStrategyFactory(DriverMetadata.CONTEXT)));
    Ring after = reader.ring(driver.metadata(more));
    assertThat(unchanged.asked()).isZero();
    assertThat(more.asked()).as("only for the replication that is new").isEqualTo(100);
    assertThat(after.owners("same")).isSameAs(before.owners("ks"));
  }

  @Test
  void moved_tokens_or_nodes_with_another_data_centre_make_a_new_ring() {
    hundredRanges();
    driver.keyspace("ks", simple(1));
    RingReader reader = new RingReader("here", DriverPartitioner.MURMUR3);
    TokenMap map = driver.tokens();
    reader.ring(driver.metadata(map));
    set(driver.nodes.get(0), "datacenter", "there");
    CountedTokenMap again = new CountedTokenMap(map);
    reader.ring(driver.metadata(again));
    assertThat(again.asked()).isEqualTo(100);
    set(driver.nodes.get(1), "rawTokens", Set.of("7000"));
    Ring moved = reader.ring(driver.metadata(driver.tokens()));
    assertThat(owners(moved, "ks", 7_000)).containsExactly(2L);
  }
}
