package io.sluice.ycsb;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.load.RequestFailure;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import site.ycsb.measurements.Measurements;
import site.ycsb.workloads.CoreWorkload;

class BindingPartsTest {
  private final Statements cql = new Statements("ks", 2, false);

  @Test
  void each_mode_has_its_own_statement() {
    assertThat(cql.scan("t", ScanMode.TOKEN_LIMIT, null))
        .isEqualTo("SELECT * FROM ks.t WHERE token(y_id) >= token(?) LIMIT ?");
    assertThat(cql.scan("t", ScanMode.TOKEN_RANGE, null))
        .isEqualTo("SELECT * FROM ks.t WHERE token(y_id) >= token(?) AND token(y_id) <= ? LIMIT ?");
    assertThat(cql.scan("t", ScanMode.FULL_TABLE, Set.of("field1")))
        .isEqualTo("SELECT y_id, field1 FROM ks.t");
    assertThat(cql.scan("t", ScanMode.COUNT, null)).isEqualTo("SELECT count(*) FROM ks.t");
  }

  @Test
  void a_checked_row_is_read_whole_and_written_with_its_checksum() {
    Statements checked = new Statements("ks", 2, true);

    assertThat(checked.read("t", Set.of("field1"))).isEqualTo("SELECT * FROM ks.t WHERE y_id = ?");
    assertThat(checked.write("t", List.of("field1", "field0")))
        .isEqualTo("INSERT INTO ks.t (y_id, field0, field1, sluice_checksum) VALUES (?, ?, ?, ?)");
    assertThat(checked.createTable("t"))
        .isEqualTo(
            "CREATE TABLE IF NOT EXISTS ks.t (y_id varchar PRIMARY KEY, field0 varchar, field1"
                + " varchar, sluice_checksum bigint)");
  }

  @ParameterizedTest
  @EnumSource
  void no_failure_is_ok(RequestFailure failure) {
    assertThat(Statuses.of(failure).isOk()).isFalse();
  }

  @Test
  void keys_are_those_of_ycsb() throws Exception {
    Properties properties = new Properties();
    properties.setProperty("recordcount", "10");
    properties.setProperty("zeropadding", "24");
    Measurements.setProperties(properties);
    Names ycsb = new Names();
    ycsb.init(properties);

    LoadedKeys keys = new LoadedKeys(0, 10, 24, false);
    for (long number = 0; number < 10; number++) {
      assertThat(keys.name(number)).isEqualTo(ycsb.buildKeyName(number));
    }
    assertThat(new LoadedKeys(3, 2, 4, true).all()).containsExactly("user0003", "user0004");
  }

  private static final class Names extends CoreWorkload {
    @Override
    protected String buildKeyName(long number) {
      return super.buildKeyName(number);
    }
  }

  @Test
  void a_share_of_the_ring_is_as_wide_as_its_rows_and_stops_at_the_end() {
    assertThat(RingShare.end(Long.MIN_VALUE, 1, 2)).isZero();
    assertThat(RingShare.end(0, 1, 4)).isEqualTo(1L << 62);
    assertThat(RingShare.end(1L << 62, 3, 4)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void ycsb_is_called_with_the_binding_and_the_workload_s_file() {
    assertThat(
            YcsbCommand.forYcsb(
                List.of("run", "-P", "workloads/a", "-threads", "4"), name -> "/found/" + name))
        .containsExactly(
            "-t", "-db", SluiceClient.class.getName(), "-P", "/found/workloads/a", "-threads", "4");
    assertThat(YcsbCommand.forYcsb(List.of("load"), name -> name)).startsWith("-load");
  }
}
