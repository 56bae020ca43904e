package io.sluice.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CassandraVersionTest {
  @ParameterizedTest
  @CsvSource({"4.0.19,4.0", "4.1.10,4.1", "5.0.9,5.0", "5.0-rc1,5.0", "6.0-alpha2,6.0", "5.0,5.0"})
  void supported_release_lines_are_known(String version, String line) {
    assertThat(CassandraVersion.knownLine(version)).isEqualTo(line);
  }

  @ParameterizedTest
  @ValueSource(strings = {"3.11.19", "4.2.0", "5.1", "5.01", "6.1-alpha1", "15.0.2", "", "latest"})
  void other_release_lines_are_unknown(String version) {
    assertThat(CassandraVersion.knownLine(version)).isNull();
  }

  @Test
  void where_there_is_no_cassandra_there_is_no_version() throws IOException {
    assertThat(CassandraVersion.onClassPath()).isNull();
  }
}
