package io.sluice.server.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Addresses as texts. */
class SettingsFormatTest {

  /** The Helm chart writes "[${POD_IP}]:9042", whatever the version of the address. */
  @ParameterizedTest
  @CsvSource({
    "10.0.0.9, 10.0.0.9, 9042",
    "10.0.0.9:9043, 10.0.0.9, 9043",
    "[10.0.0.9]:9043, 10.0.0.9, 9043",
    "fd00::9, fd00::9, 9042",
    "[fd00::9], fd00::9, 9042",
    "[fd00::9]:9043, fd00::9, 9043",
    "proxy.example:9043, proxy.example, 9043",
  })
  void brackets_around_an_address_have_no_meaning_of_their_own(String text, String host, int port) {
    assertThat(SettingsFormat.name(text)).isEqualTo(InetSocketAddress.createUnresolved(host, port));
  }

  @ParameterizedTest
  @CsvSource({"[10.0.0.9]:9043, 10.0.0.9:9043", "[fd00::9]:9043, [fd00:0:0:0:0:0:0:9]:9043"})
  void an_address_is_written_with_brackets_only_if_it_has_colons(String text, String written) {
    assertThat(SettingsFormat.text(SettingsFormat.address(text))).isEqualTo(written);
  }
}
