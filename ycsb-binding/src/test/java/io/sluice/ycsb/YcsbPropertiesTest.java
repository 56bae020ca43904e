package io.sluice.ycsb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The properties of a command line, as YCSB reads it. */
class YcsbPropertiesTest {
  @TempDir private Path temp = Path.of("");

  private String file(String name, String text) throws IOException {
    return Files.writeString(temp.resolve(name), text).toString();
  }

  @Test
  void options_precede_files_and_later_ones_earlier_ones() throws IOException {
    String first = file("first", "a=1\nb=1\nc=1\nd=1");
    String second = file("second", "b=2\nc=2");

    assertThat(
            YcsbProperties.of(
                List.of("-P", first, "-p", "c=3", "-p", "d=3", "-p", "d=4=5", "-P", second)))
        .isEqualTo(Map.of("a", "1", "b", "2", "c", "3", "d", "4=5"));
  }

  @Test
  void the_phase_and_the_threads_are_properties_too() {
    assertThat(YcsbProperties.of(List.of("-load", "-db", "X", "-s", "-threads", "7")))
        .isEqualTo(Map.of("dotransactions", "false", "threadcount", "7"));
    assertThat(YcsbProperties.of(List.of("-t", "-p", "dotransactions=false")))
        .isEqualTo(Map.of("dotransactions", "false"));
  }

  @Test
  void an_option_that_is_not_understood_is_named() {
    assertThatThrownBy(() -> YcsbProperties.of(List.of("-p", "hosts")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("-p: 'hosts' is not NAME=VALUE");
    assertThatThrownBy(() -> YcsbProperties.of(List.of("-t", "-p")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("-p: its value is missing");
    assertThatThrownBy(() -> YcsbProperties.of(List.of("-P", temp.resolve("none").toString())))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessage("-P: cannot read " + temp.resolve("none"));
  }
}
