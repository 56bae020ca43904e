package io.sluice.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.fleet.PeerWatch.PeerChange;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests configured addresses, names with several addresses, and the changes that a lookup finds.
 */
class PeerListTest {
  private static final InetSocketAddress SELF = peer("10.0.0.1");
  private static final InetSocketAddress NAME =
      InetSocketAddress.createUnresolved("proxies.example", 9042);

  private static InetSocketAddress peer(String address) {
    return new InetSocketAddress(address, 9042);
  }

  private static List<InetAddress> addresses(String... texts) {
    return Arrays.stream(texts).map(text -> peer(text).getAddress()).toList();
  }

  private static Map<InetSocketAddress, List<InetAddress>> found(String... texts) {
    return Map.of(NAME, addresses(texts));
  }

  @Test
  void configured_addresses_are_peers_from_the_start_without_this_proxy() {
    PeerList peers = new PeerList(List.of(peer("10.0.0.3"), SELF, peer("10.0.0.2")), SELF);

    assertThat(peers.all()).containsExactly(peer("10.0.0.2"), peer("10.0.0.3"));
    assertThat(peers.names()).isEmpty();
    assertThat(peers.lookedUp(Map.of()).isNone()).isTrue();
  }

  @Test
  void a_name_stands_for_all_its_addresses_with_its_port() {
    PeerList peers = new PeerList(List.of(NAME, NAME, peer("10.0.0.9")), SELF);

    assertThat(peers.names()).containsExactly(NAME);
    assertThat(peers.all()).containsExactly(peer("10.0.0.9"));
    PeerChange change = peers.lookedUp(found("10.0.0.3", "10.0.0.1", "10.0.0.2", "10.0.0.9"));

    assertThat(change.joined()).containsExactly(peer("10.0.0.2"), peer("10.0.0.3"));
    assertThat(change.left()).isEmpty();
    assertThat(change.all())
        .containsExactly(peer("10.0.0.2"), peer("10.0.0.3"), peer("10.0.0.9"))
        .isEqualTo(peers.all());
  }

  @Test
  void another_order_of_addresses_is_no_change() {
    PeerList peers = new PeerList(List.of(NAME), SELF);
    peers.lookedUp(found("10.0.0.3", "10.0.0.2"));

    assertThat(peers.lookedUp(found("10.0.0.2", "10.0.0.3", "10.0.0.2")).isNone()).isTrue();
  }

  @Test
  void a_name_that_cannot_be_looked_up_keeps_its_addresses() {
    PeerList peers = new PeerList(List.of(NAME), SELF);
    peers.lookedUp(found("10.0.0.2"));

    assertThat(peers.lookedUp(Map.of()).isNone()).isTrue();
    assertThat(peers.all()).containsExactly(peer("10.0.0.2"));
  }

  @Test
  void an_address_that_a_name_no_longer_has_leaves() {
    PeerList peers = new PeerList(List.of(NAME, peer("10.0.0.4")), SELF);
    peers.lookedUp(found("10.0.0.2", "10.0.0.3", "10.0.0.4"));

    PeerChange change = peers.lookedUp(found("10.0.0.3", "10.0.0.5"));

    assertThat(change.joined()).containsExactly(peer("10.0.0.5"));
    assertThat(change.left()).containsExactly(peer("10.0.0.2"));
    assertThat(change.all()).containsExactly(peer("10.0.0.3"), peer("10.0.0.4"), peer("10.0.0.5"));
  }

  @Test
  void without_its_own_address_a_proxy_excludes_no_peer() {
    assertThat(new PeerList(List.of(SELF), null).all()).containsExactly(SELF);
  }

  /** All proxies that look up the same names find the same peers, whatever they found before. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void joined_and_left_peers_add_up_to_the_current_ones(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    PeerList peers = new PeerList(List.of(NAME, peer("10.0.0.200")), SELF);
    Set<InetSocketAddress> known = new HashSet<>(peers.all());
    for (int look = 0; look < 200; look++) {
      String[] now = new String[random.nextInt(6)];
      Arrays.setAll(now, i -> "10.0.0." + (1 + random.nextInt(12)));
      PeerChange change = peers.lookedUp(random.nextInt(5) == 0 ? Map.of() : found(now));

      change.joined().forEach(peer -> assertThat(known.add(peer)).as("%s", peer).isTrue());
      change.left().forEach(peer -> assertThat(known.remove(peer)).as("%s", peer).isTrue());
      assertThat(known).containsExactlyInAnyOrderElementsOf(change.all()).doesNotContain(SELF);
      assertThat(change.isNone()).isEqualTo(change.joined().isEmpty() && change.left().isEmpty());
    }
    PeerList anew = new PeerList(List.of(peer("10.0.0.200"), NAME), SELF);
    peers.lookedUp(found("10.0.0.7", "10.0.0.5"));
    anew.lookedUp(found("10.0.0.5", "10.0.0.7"));
    assertThat(peers.all()).isEqualTo(anew.all());
  }
}
