package io.sluice.ycsb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.sluice.load.Endpoint;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
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
  void each_property_reaches_its_setting() {
    BindingSettings settings =
        of(
            ("cassandra.keyspace=k sluice.replicationfactor=3 cassandra.readconsistencylevel=one"
                    + " cassandra.writeconsistencylevel=ALL cassandra.tracing=true"
                    + " sluice.scan.mode=full-table sluice.scan.pagesize=50 sluice.verify=TRUE"
                    + " dotransactions=false fieldcount=3 insertproportion=1")
                .split("[ =]", -1));

    assertThat(settings)
        .isEqualTo(
            new BindingSettings(
                settings.endpoint(),
                "k",
                3,
                DefaultConsistencyLevel.ONE,
                DefaultConsistencyLevel.ALL,
                true,
                ScanMode.FULL_TABLE,
                50,
                true,
                true,
                3,
                new LoadedKeys(0, 0, 1, false),
                true));
  }

  @Test
  void each_property_of_the_connection_reaches_the_endpoint() {
    Endpoint endpoint =
        of(("sluice.datacenter=dc2 sluice.protocol=v4 cassandra.username=u"
                    + " cassandra.password=p cassandra.useSSL=true"
                    + " cassandra.readtimeoutmillis=1500 cassandra.coreconnections=4")
                .split("[ =]", -1))
            .endpoint();

    assertThat(endpoint)
        .isEqualTo(
            new Endpoint(
                List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 9042)),
                "dc2",
                "V4",
                new Endpoint.Login("u", "p"),
                true,
                Duration.ofMillis(1500),
                4,
                4096));
  }

  @Test
  void a_password_without_a_name_is_no_login() {
    assertThat(of("cassandra.password", "p").endpoint().login()).isNull();
  }

  /** The driver refuses an empty password, without the name of the property. */
  @Test
  void a_name_without_a_password_is_refused() {
    assertThatThrownBy(() -> of("cassandra.username", "u"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("cassandra.password: missing; give it as -p cassandra.password=...");
  }

  @Test
  void a_blank_value_counts_as_missing() {
    assertThat(of("cassandra.keyspace", " ", "fieldcount", "").keyspace()).isEqualTo("ycsb");
    assertThat(of("cassandra.keyspace", " k ").keyspace()).isEqualTo("k");
    assertThat(of("fieldcount", "").fields()).isEqualTo(10);
  }

  @Test
  void what_is_loaded_is_a_part_of_all_records_or_what_follows_its_beginning() {
    assertThat(of("recordcount", "10", "insertstart", "4").keys())
        .isEqualTo(new LoadedKeys(4, 6, 1, false));
    assertThat(
            of(("recordcount=10 insertstart=4 insertcount=2 zeropadding=8" + " insertorder=ordered")
                    .split("[ =]", -1))
                .keys())
        .isEqualTo(new LoadedKeys(4, 2, 8, true));
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
  void whether_the_workload_adds_rows_is_known() {
    assertThat(of("insertproportion", "0.05").mayGrow()).isTrue();
    assertThat(of("insertproportion", "0.0").mayGrow()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "hosts, ''",
    "port, 70000",
    "hosts, a:b",
    "hosts, a:65536",
    "hosts, a:0",
    "hosts, :9042",
    "hosts, 'a,,b'",
    "sluice.verify, yes",
    "cassandra.useSSL, 1",
    "cassandra.readtimeoutmillis, 0",
    "sluice.replicationfactor, 12345678901234567890",
    "sluice.scan.mode, sideways",
    "sluice.protocol, 9",
    "cassandra.readconsistencylevel, MOST",
    "sluice.scan.pagesize, -1",
    "fieldcount, ten"
  })
  void an_invalid_value_is_refused_with_the_name_of_its_property(String name, String value) {
    assertThatThrownBy(() -> of(name, value))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(name);
  }
}
