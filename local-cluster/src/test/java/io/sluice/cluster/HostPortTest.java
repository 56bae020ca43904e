package io.sluice.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses on command lines. */
class HostPortTest {

  @Test
  void a_host_and_a_port_are_an_address() {
    InetSocketAddress address = HostPort.of("--hosts", "127.0.0.2:9043");
    assertThat(address.getHostString()).isEqualTo("127.0.0.2");
    assertThat(address.getPort()).isEqualTo(9043);
  }

  @Test
  void the_last_colon_separates_the_port_even_after_an_ipv6_address() {
    InetSocketAddress address = HostPort.of("--hosts", "[::1]:9042");
    assertThat(address.getAddress().isLoopbackAddress()).isTrue();
    assertThat(address.getPort()).isEqualTo(9042);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "node", ":9042", "node:", "node:x", "node:-1", "node:65536", "node:1 "})
  void an_invalid_address_is_named_with_its_option(String text) {
    assertThatThrownBy(() -> HostPort.of("--hosts", text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("--hosts: '" + text + "' is not HOST:PORT");
  }

  @Test
  void a_host_without_an_address_is_named_with_its_option() {
    assertThatThrownBy(() -> HostPort.of("--hosts", "no-such-host.invalid:9042"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("--hosts: the host no-such-host.invalid is unknown");
  }
}
