package io.sluice.watch;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import io.sluice.watch.FleetTables.LearnedTable.Row;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the rows of what proxies have learned of tables. */
class QuorumLearnedTest {

  private static final String COLUMNS = "address inet, port int, learned blob, rest int";
  private static final InetSocketAddress AT = new InetSocketAddress("10.0.0.5", 9042);
  private static final int DAY = 86_400;

  private final FakeSession cql = new FakeSession(new DriverMetadata());
  private final QuorumLearned table =
      new QuorumLearned(new FleetSession(cql::driver, FleetSessionTest.config(null)));

  private List<Row> read(NodeRows rows) {
    cql.answers(rows);
    return table.read().toCompletableFuture().getNow(null);
  }

  private static ByteBuffer bytes(int count) {
    return ByteBuffer.allocate(count);
  }

  @Test
  void the_rows_of_the_data_centre_are_read_with_their_remaining_life() {
    table.read();
    assertThat(cql.last().getQuery())
        .isEqualTo(
            "SELECT address, port, learned, ttl(learned) AS rest FROM sluice.learned"
                + " WHERE datacenter = ? LIMIT 64");
    assertThat(cql.last().getPositionalValues()).containsExactly("here");
    assertThat(cql.last().getPageSize()).isEqualTo(64);
  }

  @Test
  void a_row_lasts_for_a_day() {
    ByteBuffer learned = ByteBuffer.wrap(new byte[] {1, 2, 3});
    table.write(AT, learned);
    assertThat(cql.last().getQuery())
        .isEqualTo(
            "INSERT INTO sluice.learned (datacenter, address, port, learned)"
                + " VALUES (?, ?, ?, ?) USING TTL 86400");
    assertThat(cql.last().getPositionalValues())
        .containsExactly("here", AT.getAddress(), 9042, learned);
  }

  @ParameterizedTest
  @CsvSource({"86400, 0", "86399, 1", "1, 86399", "90000, 0", ", 86400"})
  void the_age_of_a_row_is_the_part_of_its_life_that_has_passed(Integer rest, long age) {
    assertThat(read(new NodeRows(COLUMNS).row(AT.getAddress(), 9042, bytes(3), rest)))
        .containsExactly(new Row(AT, age, bytes(3)));
  }

  @Test
  void the_bytes_begin_at_position_0() {
    ByteBuffer learned = ByteBuffer.wrap(new byte[] {1, 2, 3});
    assertThat(read(new NodeRows(COLUMNS).row(AT.getAddress(), 9042, learned, DAY)))
        .singleElement()
        .satisfies(row -> assertThat(row.learned().position()).isZero())
        .satisfies(row -> assertThat(row.learned()).isEqualTo(learned));
  }

  @Test
  void an_incomplete_row_is_left_out() {
    InetAddress good = AT.getAddress();
    NodeRows rows =
        new NodeRows(COLUMNS)
            .row(null, 9042, bytes(1), DAY)
            .row(good, null, bytes(1), DAY)
            .row(good, 65_536, bytes(1), DAY)
            .row(good, 9042, null, DAY)
            .row(good, 9043, bytes(0), DAY);
    assertThat(read(rows)).extracting(row -> row.address().getPort()).containsExactly(9043);
  }

  @Test
  void a_row_that_no_proxy_can_have_written_is_left_out() {
    int most = 1 << 16;
    NodeRows rows =
        new NodeRows(COLUMNS)
            .row(AT.getAddress(), 1, bytes(most + 1), DAY)
            .row(AT.getAddress(), 2, bytes(most), DAY);
    assertThat(read(rows)).extracting(row -> row.address().getPort()).containsExactly(2);
  }

  @Test
  void a_failure_says_what_to_do() {
    cql.fails(
        new InvalidQueryException(DriverMetadata.driverNode(1, null, "here", "r"), "no table"));
    String message = "no table; `sluice fleet init` creates it";
    assertThat(FleetSessionTest.failure(table.read())).hasMessage(message);
    assertThat(FleetSessionTest.failure(table.write(AT, bytes(1)))).hasMessage(message);
  }
}
