package io.sluice.ycsb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BindingSettingsTest {
  private static BindingSettings of(String... namesAndValues) {
    Properties properties = new Properties();
    properties.setProperty("hosts", "127.0.0.1");
    for (int i = 0; i < namesAndValues.length; i += 2) {
      properties.setProperty(namesAndValues[i], namesAndValues[i + 1]);
    }
    return BindingSettings.of(properties);
  }

  @Test
  void the_defaults_are_those_of_upstream() {
    BindingSettings settings = of("recordcount", "10");

    assertThat(settings.keyspace()).isEqualTo("ycsb");
    assertThat(settings.reads()).isEqualTo(DefaultConsistencyLevel.QUORUM);
    assertThat(settings.writes()).isEqualTo(DefaultConsistencyLevel.QUORUM);
    assertThat(settings.mode()).isEqualTo(ScanMode.TOKEN_LIMIT);
    assertThat(settings.verify()).isFalse();
    assertThat(settings.loading()).isFalse();
    assertThat(settings.keys()).isEqualTo(new LoadedKeys(0, 10, 1, false));
    assertThat(settings.endpoint().contactPoints().get(0).getPort()).isEqualTo(9042);
  }

  @Test
  void hosts_share_the_port_unless_they_name_their_own() {
    assertThat(of("hosts", "127.0.0.2, 127.0.0.3:7", "port", "5").endpoint().contactPoints())
        .extracting(a -> a.getHostString() + ":" + a.getPort())
        .containsExactly("127.0.0.2:5", "127.0.0.3:7");
  }

  @Test
  void a_protocol_is_named_with_or_without_its_v() {
    assertThat(of("sluice.protocol", "4").endpoint().protocol()).isEqualTo("V4");
    assertThat(of("sluice.protocol", "v5").endpoint().protocol()).isEqualTo("V5");
    assertThat(of().endpoint().protocol()).isNull();
  }

  @Test
  void what_may_be_added_while_the_workload_runs_is_known() {
    assertThat(of("insertproportion", "0.05").mayGrow()).isTrue();
    assertThat(of("insertproportion", "0.0").mayGrow()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "hosts, ''",
    "port, 70000",
    "hosts, a:b",
    "sluice.scan.mode, sideways",
    "sluice.protocol, 9",
    "cassandra.readconsistencylevel, MOST",
    "sluice.scan.pagesize, -1",
    "fieldcount, ten"
  })
  void a_value_nobody_can_use_is_refused_by_the_name_of_its_property(String name, String value) {
    assertThatThrownBy(() -> of(name, value))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(name);
  }
}
