package io.sluice.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.divide.FleetShare.Published;
import io.sluice.decide.divide.FleetValues;
import io.sluice.decide.divide.FleetView;
import io.sluice.watch.ClusterConfig.Credentials;
import io.sluice.watch.FleetTables.FleetTable;
import io.sluice.watch.FleetTables.FleetTable.Row;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests that a client that can write the table of heartbeats cannot become a home. */
class SealedTableTest {

  private static final Credentials LOGIN = new Credentials("sluice", "secret");
  private static final UUID SECRET = new UUID(7, 8);
  private static final InetSocketAddress HERE = address(1);
  private static final InetSocketAddress ELSEWHERE = address(9);

  private final Table table = new Table();
  private final SealedTable sealed = new SealedTable(table, LOGIN);

  /** A table that any client can write. */
  private static final class Table implements FleetTable {
    final List<Row> rows = new ArrayList<>();

    @Override
    public CompletionStage<List<Row>> read() {
      return CompletableFuture.completedFuture(List.copyOf(rows));
    }

    @Override
    public CompletionStage<?> write(Row own, long micros) {
      rows.add(own);
      return CompletableFuture.completedFuture(null);
    }
  }

  private static Row row(InetSocketAddress address, @Nullable UUID secret, String text) {
    return new Row(new UUID(1, 2), address, 3, secret, text);
  }

  private static List<Row> read(FleetTable from) {
    return from.read().toCompletableFuture().join();
  }

  private static InetSocketAddress address(int last) {
    try {
      return new InetSocketAddress(
          InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) last}), 9042);
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void write(FleetTable to, Row row) {
    to.write(row, 1).toCompletableFuture().join();
  }

  private @Nullable UUID secretOf(Row written) {
    table.rows.clear();
    table.rows.add(written);
    return read(sealed).get(0).secret();
  }

  @Test
  void a_proxy_with_the_same_login_is_a_home() {
    write(sealed, row(HERE, SECRET, ""));
    assertThat(read(new SealedTable(table, LOGIN)))
        .singleElement()
        .satisfies(
            row -> {
              assertThat(row.secret()).isEqualTo(SECRET);
              assertThat(row.address()).isEqualTo(HERE);
              assertThat(row.beat()).isEqualTo(3);
            });
  }

  @Test
  void a_row_without_a_seal_or_with_that_of_another_login_is_no_home() {
    assertThat(secretOf(row(HERE, SECRET, ""))).isNull();
    assertThat(secretOf(row(HERE, SECRET, "1 homeSeal=00000000000000000000000000000000"))).isNull();
    for (Credentials other :
        List.of(new Credentials("sluice", "guess"), new Credentials("other", "secret"))) {
      table.rows.clear();
      write(new SealedTable(table, other), row(HERE, SECRET, ""));
      assertThat(read(sealed)).singleElement().extracting(Row::secret).isNull();
    }
  }

  @Test
  void the_seal_of_a_row_is_of_no_use_in_another() {
    write(sealed, row(HERE, SECRET, ""));
    String seal = table.rows.get(0).demand();
    assertThat(secretOf(row(HERE, SECRET, seal))).isEqualTo(SECRET);
    assertThat(secretOf(row(ELSEWHERE, SECRET, seal))).isNull();
    assertThat(secretOf(row(HERE, new UUID(7, 9), seal))).isNull();
    assertThat(secretOf(new Row(new UUID(1, 3), HERE, 3, SECRET, seal))).isNull();
  }

  @Test
  void a_proxy_without_a_seal_is_still_a_member_with_its_text() {
    table.rows.add(row(ELSEWHERE, SECRET, "1 a=1.00/0.500"));
    assertThat(read(sealed)).containsExactly(row(ELSEWHERE, null, "1 a=1.00/0.500"));
  }

  @Test
  void other_entries_of_the_text_are_still_understood() {
    String entry = FleetValues.entry("a", new Published(2, 0.5));
    for (String text : List.of(FleetValues.FORMAT + entry, "")) {
      table.rows.clear();
      write(sealed, row(HERE, SECRET, text));
      String written = table.rows.get(0).demand();
      FleetView view = new FleetView(new UUID(0, 1), 0, Map.of(new UUID(1, 2), written));
      assertThat(FleetValues.read(view).of("a").others()).hasSize(text.isEmpty() ? 0 : 1);
    }
  }

  @Test
  void a_proxy_that_is_no_home_writes_its_row_as_it_is() {
    write(sealed, row(HERE, null, "1 a=1.00/0.500"));
    assertThat(table.rows).containsExactly(row(HERE, null, "1 a=1.00/0.500"));
  }
}
