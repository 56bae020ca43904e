package io.sluice.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ring.NodeId;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;
import java.util.stream.Stream;
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
  void the_home_of_a_node_follows_from_rendezvous_hashing_of_all_members() {
    Homes homes = new Homes(SELF, SECRET, List.of(home(2), home(3)));
    HomeProxies all = new HomeProxies(List.of(SELF, home(2).instance(), home(3).instance()));

    for (NodeId node : Stream.concat(nodes().stream(), nodes().stream()).toList()) {
      UUID expected = all.of(node).orElseThrow();
      Homes.Home found = homes.of(node);
      assertThat(found == null ? SELF : found.instance()).isEqualTo(expected);
      assertThat(homes.sharing(node)).isEqualTo(expected.equals(SELF) ? 1 : 3);
    }
    assertThat(homes.members()).isEqualTo(3);
  }

  @Test
  void a_proxy_that_is_no_home_sends_all_pieces_to_others() {
    Homes homes = new Homes(null, null, List.of(home(2)));

    assertThat(nodes()).allSatisfy(node -> assertThat(homes.of(node)).isEqualTo(home(2)));
    assertThat(homes.members()).isEqualTo(1);
    assertThat(homes.isProof(new UUID(0, 0))).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"0x1234, 0x5678, true", "0x1234, 0x5679, false", "0x1235, 0x5678, false"})
  void a_proof_is_the_whole_secret(String most, String least, boolean proof) {
    Homes homes = new Homes(SELF, SECRET, List.of());

    assertThat(homes.isProof(new UUID(Long.decode(most), Long.decode(least)))).isEqualTo(proof);
  }

  /** Both halves of the secret differ by the same bits. */
  @Test
  void equal_differences_in_both_halves_do_not_cancel_out() {
    Homes homes = new Homes(SELF, SECRET, List.of());

    assertThat(homes.isProof(new UUID(0x1235, 0x5679))).isFalse();
    assertThat(homes.isProof(new UUID(0x5678, 0x1234))).isFalse();
  }

  @Test
  void homes_differ_by_member_and_secret() {
    Homes homes = new Homes(SELF, SECRET, List.of(home(2), home(3)));

    assertThat(new Homes(SELF, SECRET, List.of(home(3), home(2))))
        .isEqualTo(homes)
        .hasSameHashCodeAs(homes);
    assertThat(homes)
        .isNotEqualTo(new Homes(new UUID(1, 2), SECRET, List.of(home(2), home(3))))
        .isNotEqualTo(new Homes(SELF, new UUID(9, 9), List.of(home(2), home(3))))
        .isNotEqualTo(new Homes(SELF, SECRET, List.of(home(2))))
        .isNotEqualTo(Homes.NONE);
  }

  @Test
  void the_text_of_homes_hides_the_secret() {
    Homes homes = new Homes(SELF, SECRET, List.of(home(2)));

    assertThat(homes).hasToString("Homes[10.0.0.2:9042]");
  }
}
