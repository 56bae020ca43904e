package io.sluice.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.ring.NodeId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the homes of nodes: equal at every proxy, and in equal shares. */
class HomeProxiesTest {
  private static List<UUID> ids(SplittableRandom random, int count) {
    return LongStream.range(0, count)
        .mapToObj(i -> new UUID(random.nextLong(), random.nextLong()))
        .toList();
  }

  private static List<NodeId> nodes(SplittableRandom random, int count) {
    return ids(random, count).stream().map(NodeId::new).toList();
  }

  @Test
  void without_members_there_is_no_home() {
    NodeId node = new NodeId(new UUID(1, 2));
    assertThat(new HomeProxies(List.of(), List.of(node)).of(node)).isEmpty();
  }

  @Test
  void a_lone_member_is_the_home_of_all() {
    SplittableRandom random = new SplittableRandom(1);
    List<UUID> one = ids(random, 1);
    List<NodeId> nodes = nodes(random, 50);
    HomeProxies homes = new HomeProxies(one, nodes.subList(0, 40));

    assertThat(nodes).allSatisfy(node -> assertThat(homes.of(node)).contains(one.get(0)));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void order_and_repetition_do_not_change_homes(int seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<UUID> members = ids(random, 1 + random.nextInt(64));
    List<NodeId> nodes = nodes(random, 100);
    List<UUID> toldMembers = repeatedAndShuffled(members, seed);
    List<NodeId> toldNodes = repeatedAndShuffled(nodes, seed);
    HomeProxies homes = new HomeProxies(members, nodes);
    HomeProxies told = new HomeProxies(toldMembers, toldNodes);

    assertThat(nodes).allSatisfy(node -> assertThat(told.of(node)).isEqualTo(homes.of(node)));
    assertThat(told.members()).isEqualTo(homes.members());
  }

  private static <T> List<T> repeatedAndShuffled(List<T> all, int seed) {
    List<T> told = new ArrayList<>(all);
    told.addAll(all.subList(0, all.size() / 2));
    Collections.shuffle(told, new Random(seed));
    return told;
  }

  /** The ids differ in a few bits only, as in some deployments. */
  @ParameterizedTest
  @CsvSource({"3, 3", "3, 4", "3, 12", "16, 12", "16, 100", "64, 1000"})
  void no_member_is_the_home_of_more_nodes_than_an_equal_share(int members, int nodes) {
    List<UUID> proxies = LongStream.range(0, members).mapToObj(i -> new UUID(0, i)).toList();
    List<NodeId> all =
        LongStream.range(0, nodes).mapToObj(i -> new NodeId(new UUID(i, 0))).toList();
    HomeProxies homes = new HomeProxies(proxies, all);

    Map<UUID, Long> loads =
        all.stream()
            .map(node -> homes.of(node).orElseThrow())
            .collect(Collectors.groupingBy(home -> home, Collectors.counting()));

    assertThat(loads.values())
        .allSatisfy(load -> assertThat(load).isLessThanOrEqualTo((nodes + members - 1) / members));
  }

  /** All nodes of the member move. Of the others, a few move because the shares change. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void most_nodes_keep_their_home_when_a_member_leaves(int seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<UUID> members = ids(random, 4 + random.nextInt(30));
    List<NodeId> nodes = nodes(random, 300);
    UUID gone = members.get(random.nextInt(members.size()));
    List<UUID> left = members.stream().filter(member -> !member.equals(gone)).toList();
    HomeProxies before = new HomeProxies(members, nodes);
    HomeProxies after = new HomeProxies(left, nodes);

    assertThat(nodes)
        .filteredOn(node -> !before.of(node).equals(after.of(node)))
        .hasSizeLessThan(5 * nodes.size() / members.size());
  }

  /** A node of which this proxy has just learned, or one of another data centre. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 16, 64})
  void nodes_that_are_not_assigned_are_spread_by_rendezvous_hashing(int count) {
    List<UUID> members = LongStream.range(0, count).mapToObj(i -> new UUID(0, i)).toList();
    HomeProxies homes = new HomeProxies(members, List.of());
    int[] of = new int[count];
    int nodes = 2000 * count;

    for (int node = 0; node < nodes; node++) {
      of[(int) homes.of(new NodeId(new UUID(node, 0))).orElseThrow().getLeastSignificantBits()]++;
    }

    for (int share : of) {
      assertThat(share / 2000.0).isCloseTo(1, within(0.12));
    }
  }

  /** The assignment must not change, because proxies of two versions have to agree. */
  @Test
  void the_assignment_of_homes_is_pinned() {
    List<UUID> members = LongStream.rangeClosed(1, 5).mapToObj(i -> new UUID(i, i)).toList();
    List<NodeId> nodes =
        LongStream.range(0, 8).mapToObj(i -> new NodeId(new UUID(i, 7 * i))).toList();
    HomeProxies spread = new HomeProxies(members, List.of());
    HomeProxies balanced = new HomeProxies(members, nodes.subList(0, 5));

    assertThat(nodes)
        .extracting(node -> spread.of(node).orElseThrow().getLeastSignificantBits())
        .containsExactly(5L, 3L, 2L, 5L, 2L, 4L, 4L, 1L);
    assertThat(nodes.subList(0, 5))
        .extracting(node -> balanced.of(node).orElseThrow().getLeastSignificantBits())
        .containsExactly(1L, 3L, 2L, 5L, 4L);
  }
}
