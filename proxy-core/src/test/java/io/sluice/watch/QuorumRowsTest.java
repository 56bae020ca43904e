package io.sluice.watch;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import io.sluice.testkit.CapturedLog;
import io.sluice.watch.FleetTables.FleetTable.Row;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests the rows of heartbeats as they are read and written. */
class QuorumRowsTest {

  private static final UUID ID = new UUID(0, 1);
  private static final UUID SECRET = new UUID(0, 2);
  private static final InetSocketAddress AT = new InetSocketAddress("10.0.0.5", 9042);
  private static final String EARLIER = "instance uuid, address inet, port int, beat bigint";
  private static final String COLUMNS = EARLIER + ", secret uuid, demand text";

  private final FakeSession cql = new FakeSession(new DriverMetadata());
  private final QuorumTable table =
      new QuorumTable(new FleetSession(cql::driver, FleetSessionTest.config(null)));

  @RegisterExtension final CapturedLog log = CapturedLog.of(QuorumTable.class);

  private static InetAddress address(String text) {
    return new InetSocketAddress(text, 0).getAddress();
  }

  private List<Row> read(NodeRows rows) {
    cql.answers(rows);
    return table.read().toCompletableFuture().getNow(null);
  }

  @Test
  void the_rows_of_the_data_centre_are_read_and_one_more_than_a_fleet_may_have() {
    table.read();
    assertThat(cql.last().getQuery())
        .isEqualTo("SELECT * FROM sluice.proxies WHERE datacenter = ? LIMIT ?");
    assertThat(cql.last().getPositionalValues()).containsExactly("here", 1_001);
    assertThat(cql.last().getPageSize()).as("in one page").isEqualTo(1_001);
  }

  @Test
  void a_row_has_the_values_of_its_columns() {
    assertThat(read(new NodeRows(COLUMNS).row(ID, AT.getAddress(), 9042, 8L, SECRET, "few: 1")))
        .containsExactly(new Row(ID, AT, 8, SECRET, "few: 1"));
  }

  @Test
  void a_row_of_a_process_without_secret_and_demand_has_none() {
    assertThat(read(new NodeRows(COLUMNS).row(ID, AT.getAddress(), 9042, 8L, null, null)))
        .containsExactly(new Row(ID, AT, 8));
  }

  @Test
  void a_table_of_an_earlier_version_lacks_columns() {
    assertThat(read(new NodeRows(EARLIER).row(ID, AT.getAddress(), 9042, 8L)))
        .containsExactly(new Row(ID, AT, 8));
  }

  @Test
  void a_row_without_a_usable_address_is_left_out() {
    InetAddress good = AT.getAddress();
    NodeRows rows =
        new NodeRows(EARLIER)
            .row(null, good, 9042, 1L)
            .row(ID, null, 9042, 1L)
            .row(ID, good, null, 1L)
            .row(ID, good, 65_536, 1L)
            .row(ID, address("0.0.0.0"), 9042, 1L)
            .row(ID, address("::"), 9042, 1L)
            .row(ID, good, 65_535, 9L);
    assertThat(read(rows)).containsExactly(new Row(ID, new InetSocketAddress(good, 65_535), 9));
  }

  private static NodeRows rows(int count) {
    NodeRows rows = new NodeRows(EARLIER);
    for (int i = 0; i < count; i++) {
      rows.row(new UUID(1, i), AT.getAddress(), 9042, 1L);
    }
    return rows;
  }

  @Test
  void a_table_with_more_rows_than_a_fleet_may_have_is_refused() {
    assertThat(read(rows(1_000))).hasSize(1_000);
    cql.answers(rows(1_001));
    assertThat(FleetSessionTest.failure(table.read()))
        .hasMessage("sluice.proxies has more than 1000 rows");
  }

  /** Rows that are left out may fill the first page. */
  @Test
  void a_table_whose_rows_do_not_fit_into_one_page_is_refused() {
    cql.answers(rows(1).then(new CompletableFuture<>()));
    assertThat(FleetSessionTest.failure(table.read()))
        .hasMessage("sluice.proxies has more than 1000 rows");
  }

  private SimpleStatement written(@Nullable UUID secret, String demand) {
    table.write(new Row(ID, AT, 8, secret, demand), 77);
    return cql.last();
  }

  @Test
  void a_heartbeat_lasts_for_a_minute_and_has_the_time_of_its_writer() {
    SimpleStatement written = written(SECRET, "few: 1");
    assertThat(written.getQuery())
        .isEqualTo(
            "INSERT INTO sluice.proxies (datacenter, instance, address, port, beat, secret, demand)"
                + " VALUES (?, ?, ?, ?, ?, ?, ?) USING TTL 60");
    assertThat(written.getPositionalValues())
        .containsExactly("here", ID, AT.getAddress(), 9042, 8L, SECRET, "few: 1");
    assertThat(written.getQueryTimestamp()).isEqualTo(77);
  }

  @Test
  void a_process_without_secret_and_demand_writes_no_tombstones() {
    assertThat(written(null, "").getQuery())
        .isEqualTo(
            "INSERT INTO sluice.proxies (datacenter, instance, address, port, beat)"
                + " VALUES (?, ?, ?, ?, ?) USING TTL 60");
  }

  private void fails(String message) {
    cql.fails(new InvalidQueryException(DriverMetadata.driverNode(1, null, "a", "r"), message));
    assertThat(FleetSessionTest.failure(table.write(new Row(ID, AT, 8, SECRET, "x"), 77)))
        .hasMessageStartingWith(message);
  }

  @Test
  void heartbeats_go_on_without_a_column_that_the_table_lacks() {
    fails("Undefined column name demand in table sluice.proxies");
    assertThat(written(SECRET, "x").getPositionalValues())
        .containsExactly("here", ID, AT.getAddress(), 9042, 8L, SECRET);
    fails("Undefined column name secret in table sluice.proxies");
    assertThat(written(SECRET, "x").getQuery())
        .contains("(datacenter, instance, address, port, beat)");
    assertThat(log.lines())
        .containsExactly(
            "sluice.proxies lacks the column demand, so that limits of rules and range slots of nodes"
                + " hold for each proxy alone, and with cluster.credentials range reads wait there"
                + " alone: run `sluice fleet init` again",
            "sluice.proxies lacks the column secret, so that range reads wait at each proxy alone:"
                + " run `sluice fleet init` again");
  }

  @Test
  void a_column_is_written_again_once_a_read_shows_it() {
    fails("Undefined column name demand in table sluice.proxies");
    read(new NodeRows(EARLIER));
    assertThat(written(SECRET, "x").getQuery()).doesNotContain("demand");
    read(new NodeRows(COLUMNS));
    assertThat(written(SECRET, "x").getQuery()).contains("secret, demand)");
  }

  @Test
  void a_missing_column_is_reported_once() {
    fails("Undefined column name demand in table sluice.proxies");
    fails("Undefined column name demand in table sluice.proxies");
    read(new NodeRows(COLUMNS));
    fails("Undefined column name demand in table sluice.proxies");
    assertThat(log.lines()).hasSize(1);
  }

  @Test
  void any_other_failure_leaves_the_columns_as_they_are() {
    fails("Undefined column name beat in table sluice.proxies");
    fails("unconfigured table proxies");
    assertThat(written(SECRET, "x").getPositionalValues()).hasSize(7);
    assertThat(log.lines()).isEmpty();
  }

  /** Earlier versions leave out a row with this port. */
  @Test
  void the_last_row_of_a_process_has_the_port_0() {
    Row last = Row.departure(ID, AT.getAddress(), 9);
    table.write(last, 78);
    assertThat(cql.last().getPositionalValues())
        .containsExactly("here", ID, AT.getAddress(), 0, 9L);
    assertThat(cql.last().getQuery()).endsWith("USING TTL 60");
    assertThat(cql.last().getQueryTimestamp()).isEqualTo(78);
    assertThat(read(new NodeRows(EARLIER).row(ID, AT.getAddress(), 0, 9L))).containsExactly(last);
  }

  @Test
  void a_row_does_not_show_its_secret() {
    assertThat(new Row(ID, AT, 8, SECRET, "")).asString().doesNotContain(SECRET.toString());
    assertThat(new Row(ID, AT, 8, SECRET, "")).hasToString(ID + " at /10.0.0.5:9042, beat 8");
  }
}
