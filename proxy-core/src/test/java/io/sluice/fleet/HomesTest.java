package io.sluice.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ring.NodeId;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the homes that this proxy knows, and the proof that a request comes from another proxy. */
class HomesTest {

  private static final UUID SELF = new UUID(1, 1);
  private static final UUID SECRET = new UUID(0x1234, 0x5678);

  private static Homes.Home home(long number) {
    return new Homes.Home(
        new UUID(number, number),
        InetSocketAddress.createUnresolved("10.0.0." + number, 9042),
        new UUID(7, number));
  }

  private static List<NodeId> nodes() {
    return LongStream.range(0, 200).mapToObj(i -> new NodeId(new UUID(i, 3 * i))).toList();
  }

  @Test
  void the_home_of_a_node_follows_from_all_members_and_nodes() {
    List<NodeId> known = nodes().subList(0, 100);
    Homes homes = new Homes(SELF, SECRET, List.of(home(2), home(3)), known);
    HomeProxies all = new HomeProxies(List.of(SELF, home(2).instance(), home(3).instance()), known);

    for (NodeId node : nodes()) {
      UUID expected = all.of(node).orElseThrow();
      Homes.Home found = homes.of(node);
      assertThat(found == null ? SELF : found.instance()).isEqualTo(expected);
      assertThat(homes.sharing(node)).isEqualTo(expected.equals(SELF) ? 1 : 3);
    }
    assertThat(homes.members()).isEqualTo(3);
  }

  @Test
  void a_proxy_that_is_no_home_sends_all_pieces_to_others() {
    Homes homes = new Homes(null, null, List.of(home(2)), nodes());

    assertThat(nodes()).allSatisfy(node -> assertThat(homes.of(node)).isEqualTo(home(2)));
    assertThat(homes.members()).isEqualTo(1);
    assertThat(homes.isProof(new UUID(0, 0))).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"0x1234, 0x5678, true", "0x1234, 0x5679, false", "0x1235, 0x5678, false"})
  void a_proof_is_the_whole_secret(String most, String least, boolean proof) {
    Homes homes = new Homes(SELF, SECRET, List.of(), nodes());

    assertThat(homes.isProof(new UUID(Long.decode(most), Long.decode(least)))).isEqualTo(proof);
  }

  /** Both halves of the secret differ by the same bits. */
  @Test
  void equal_differences_in_both_halves_do_not_cancel_out() {
    Homes homes = new Homes(SELF, SECRET, List.of(), nodes());

    assertThat(homes.isProof(new UUID(0x1235, 0x5679))).isFalse();
    assertThat(homes.isProof(new UUID(0x5678, 0x1234))).isFalse();
  }

  @Test
  void homes_are_for_certain_members_secrets_and_nodes() {
    Homes homes = new Homes(SELF, SECRET, List.of(home(2), home(3)), nodes());
    Homes.Home restarted = new Homes.Home(home(3).instance(), home(3).address(), SECRET);

    assertThat(homes.isFor(List.of(home(3), home(2)), nodes())).isTrue();
    assertThat(homes.isFor(List.of(home(2)), nodes())).isFalse();
    assertThat(homes.isFor(List.of(home(2), restarted), nodes())).isFalse();
    assertThat(homes.isFor(List.of(home(2), home(3)), nodes().subList(1, 200))).isFalse();
  }

  @Test
  void the_text_of_homes_hides_the_secret() {
    Homes homes = new Homes(SELF, SECRET, List.of(home(2)), nodes());

    assertThat(homes).hasToString("Homes[10.0.0.2:9042]");
  }
}
