package io.sluice.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class DemoPartsTest {
  @Test
  void a_bar_on_a_plain_stream_is_a_line_for_each_tenth() {
    StringWriter text = new StringWriter();
    ProgressBar bar = new ProgressBar(new PrintWriter(text), false, "loading", 1000);
    for (int done = 0; done <= 1000; done++) {
      bar.show(done);
    }

    assertThat(text.toString().lines())
        .hasSize(11)
        .startsWith("loading 0 %")
        .endsWith("loading 100 %");
  }

  @Test
  void a_bar_on_a_terminal_fills_in_place() {
    StringWriter text = new StringWriter();
    ProgressBar bar = new ProgressBar(new PrintWriter(text), true, "loading", 4);
    bar.show(2);
    bar.show(4);

    assertThat(text.toString().split("\r"))
        .containsExactly(
            "",
            "loading [" + "#".repeat(20) + "-".repeat(20) + "]  50 %",
            "loading [" + "#".repeat(40) + "] 100 %" + System.lineSeparator());
  }

  @Test
  void each_proxy_has_ports_of_its_own() {
    assertThat(new DemoProxies.Ports(9042, 9043).following(3))
        .containsExactly(
            new DemoProxies.Ports(9042, 9043),
            new DemoProxies.Ports(9044, 9045),
            new DemoProxies.Ports(9046, 9047));
  }

  @Test
  void an_invalid_mix_is_refused_with_the_name_of_its_option() {
    assertThatThrownBy(() -> new Mix(0, 0.5, 10, 10)).hasMessageStartingWith("--clients");
    assertThatThrownBy(() -> new Mix(1, 1.5, 10, 10)).hasMessageStartingWith("--point-share");
    assertThatThrownBy(() -> new Mix(1, 0.5, 0, 10)).hasMessageStartingWith("--max-limit");
    assertThatThrownBy(() -> new Mix(1, 0.5, 10, 0)).hasMessageStartingWith("--rows");
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, '127.0.0.1' is not HOST:PORT",
    "127.0.0.1:x, '127.0.0.1:x' is not HOST:PORT",
    "no-such-host.invalid:9042, the host no-such-host.invalid is unknown",
  })
  void a_bad_address_instead_of_sluice_is_one_line_before_anything_starts(
      String address, String line) {
    DemoCommand demo =
        CommandLine.populateCommand(new DemoCommand(), "--instead-of-sluice", address);
    assertThatThrownBy(demo::insteadOfSluice)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("--instead-of-sluice: " + line);
  }
}
