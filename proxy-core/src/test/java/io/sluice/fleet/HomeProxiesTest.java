package io.sluice.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.ring.NodeId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the homes of nodes: equal for equal members, and stable when members change. */
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
    assertThat(new HomeProxies(List.of()).of(new NodeId(new UUID(1, 2)))).isEmpty();
  }

  @Test
  void a_lone_member_is_the_home_of_all() {
    SplittableRandom random = new SplittableRandom(1);
    List<UUID> one = ids(random, 1);

    assertThat(nodes(random, 50))
        .allSatisfy(node -> assertThat(new HomeProxies(one).of(node)).contains(one.get(0)));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void order_and_repetition_of_members_do_not_change_homes(int seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<UUID> members = ids(random, 1 + random.nextInt(64));
    List<UUID> told = new ArrayList<>(members);
    told.addAll(members.subList(0, random.nextInt(members.size())));
    Collections.shuffle(told, new Random(seed));

    for (NodeId node : nodes(random, 100)) {
      assertThat(new HomeProxies(told).of(node)).isEqualTo(new HomeProxies(members).of(node));
    }
    assertThat(new HomeProxies(told).members()).isEqualTo(new HomeProxies(members).members());
  }

  /** The nodes of a member that left go to the next member in line. No other node moves. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void only_the_nodes_of_a_changed_member_move(int seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<UUID> members = ids(random, 2 + random.nextInt(30));
    UUID gone = members.get(random.nextInt(members.size()));
    List<UUID> left = members.stream().filter(member -> !member.equals(gone)).toList();
    HomeProxies before = new HomeProxies(members);
    HomeProxies after = new HomeProxies(left);

    for (NodeId node : nodes(random, 300)) {
      List<UUID> line = before.line(node).toList();
      assertThat(line).containsExactlyInAnyOrderElementsOf(members);
      assertThat(before.of(node)).contains(line.get(0));
      UUID next = line.get(0).equals(gone) ? line.get(1) : line.get(0);
      assertThat(after.of(node)).contains(next);
    }
  }

  /** The ids differ in a few bits only, as in some deployments. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 16, 64})
  void each_member_is_the_home_of_an_equal_share(int count) {
    List<UUID> members = LongStream.range(0, count).mapToObj(i -> new UUID(0, i)).toList();
    HomeProxies homes = new HomeProxies(members);
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
    HomeProxies homes = new HomeProxies(members);

    assertThat(LongStream.range(0, 8).mapToObj(i -> homes.of(new NodeId(new UUID(i, 7 * i)))))
        .extracting(home -> home.orElseThrow().getLeastSignificantBits())
        .containsExactly(5L, 3L, 2L, 5L, 2L, 4L, 4L, 1L);
  }
}
