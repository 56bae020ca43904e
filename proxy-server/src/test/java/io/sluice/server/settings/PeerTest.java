package io.sluice.server.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Other proxies as the file names them. */
class PeerTest {

  private static Peer peer(String text) {
    return Peer.of(text, SettingsFormat::resolved);
  }

  @ParameterizedTest
  @CsvSource({
    "dns:proxies.example:9043, proxies.example, 9043, dns:proxies.example:9043",
    "dns:localhost, localhost, 9042, dns:localhost:9042",
    "dns:[::1]:9, ::1, 9, dns:[::1]:9"
  })
  void a_name_is_not_looked_up_when_it_is_read(String text, String host, int port, String shown) {
    Peer peer = peer(text);

    assertThat(peer.isName()).isTrue();
    assertThat(peer.address()).isEqualTo(InetSocketAddress.createUnresolved(host, port));
    assertThat(peer).hasToString(shown);
  }

  @Test
  void an_address_is() {
    Peer peer = peer("127.0.0.8:9043");

    assertThat(peer.isName()).isFalse();
    assertThat(peer.address()).isEqualTo(new InetSocketAddress("127.0.0.8", 9043));
    assertThat(peer).hasToString("127.0.0.8:9043");
  }

  @Test
  void the_keyspace_is_a_word_and_no_host() {
    assertThat(peer("keyspace").address()).isNull();
    assertThat(peer("keyspace")).hasToString("keyspace");
    assertThat(peer("keyspace:9042").address()).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"dns:", "dns::9042", "dns:a:b", "dns:a:65536", "dns:a/b", "dns: a:1", ""})
  void what_is_neither_is_refused(String text) {
    assertThatThrownBy(() -> peer(text)).isInstanceOf(IllegalArgumentException.class);
  }
}
