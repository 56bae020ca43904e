package io.sluice;

import static io.sluice.TestRequests.query;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ring.Estimates;
import io.sluice.ring.Estimates.Counted;
import io.sluice.ring.TableName;
import io.sluice.ring.TokenRange;
import io.sluice.watch.Cluster.EstimatesTry;
import io.sluice.wire.ErrorCode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the rows of the console's tables. */
class ConsoleTablesTest extends ConsoleFixture {

  @Test
  void links_are_shown_to_their_own_role() throws InterruptedException {
    fixture.allDo(request -> TestRequests.rows());
    fixture.ask(TestRequests.read()).answer();
    assertThat(texts("SELECT role, state FROM system_proxy.links WHERE in_flight = 0"))
        .containsExactly(List.of("anonymous", "open"));
    asAlice(false);
    assertThat(texts("SELECT role FROM system_proxy.links WHERE role = 'anonymous'")).isEmpty();
    refused("SELECT * FROM system_proxy.tables", ErrorCode.UNAUTHORIZED, "alice");
    refused("SELECT * FROM system_proxy.prepared", ErrorCode.UNAUTHORIZED, "alice");
    refused("SELECT * FROM system_proxy.log", ErrorCode.UNAUTHORIZED, "alice");
  }

  @Test
  void the_log_shows_the_lines_of_the_host() throws InterruptedException {
    assertThat(texts("SELECT level, source, text FROM system_proxy.log"))
        .containsExactly(List.of("WARN", "Journal", "Node a is silent"));
  }

  @Test
  void a_node_shows_the_duration_of_its_reads_by_class() throws InterruptedException {
    String all = "SELECT data_center FROM system_proxy.nodes WHERE ";
    fixture.allDo(request -> TestRequests.rows());
    assertThat(texts(all + "point_p50_ms > 0")).isEmpty();
    fixture.ask(TestRequests.read()).answer();
    assertThat(texts(all + "point_p50_ms > 0 AND point_p99_ms > 0")).hasSize(1);
    assertThat(texts(all + "range_p50_ms > 0")).isEmpty();
    fixture.ask(query("SELECT v FROM ks.t")).answer();
    assertThat(texts(all + "range_p50_ms > 0 AND range_p99_ms > 0")).hasSize(1);
  }

  @Test
  void a_queue_shows_the_wait_of_its_oldest_read() throws InterruptedException {
    String waiting = "SELECT class FROM system_proxy.queues WHERE oldest_ms > 0";
    assertThat(texts(waiting)).isEmpty();
    FullSlots full = fixture.fillRangeSlots();
    assertThat(meanwhile(fixture, waiting)).containsExactly(List.of("range"), List.of("range"));
    full.release();
    assertThat(texts(waiting)).isEmpty();
  }

  @Test
  void a_tenant_is_shown_with_its_queued_reads_and_its_work() throws InterruptedException {
    String waiting = "SELECT tenant FROM system_proxy.tenants WHERE weight = 1.0 AND ";
    assertThat(texts(waiting + "served >= 0")).isEmpty();
    FullSlots full = fixture.fillRangeSlots();
    assertThat(meanwhile(fixture, waiting + "range_queued = 1 AND point_queued = 0 AND served = 0"))
        .containsExactly(List.of("other"), List.of("other"));
    full.release();
    assertThat(texts(waiting + "range_queued = 0 AND in_flight = 0 AND served = 1 AND work_ms > 0"))
        .containsExactly(List.of("other"), List.of("other"));
    asAlice(false);
    assertThat(texts(waiting + "served >= 0")).as("rows of another role").isEmpty();
  }

  @Test
  void a_connection_shows_its_tls_and_its_unread_bytes() throws InterruptedException {
    asAlice(true);
    assertThat(texts("SELECT role, tls, driver_name, driver_version FROM system_proxy.clients"))
        .containsExactly(
            List.of("alice", "none", "a driver", "1.0"),
            List.of("bob", "TLSv1.3", "a driver", "1.0"));
    assertThat(
            texts(
                "SELECT role FROM system_proxy.clients"
                    + " WHERE unread_bytes = 200 AND tls_cipher = 'TLS_AES_128_GCM_SHA256'"))
        .containsExactly(List.of("bob"));
  }

  @Test
  void a_table_shows_the_source_of_its_estimates_and_why_nodes_report_none()
      throws InterruptedException {
    String estimates = "SELECT table_name, source FROM system_proxy.estimates WHERE ";
    List<Counted> halves =
        List.of(new Counted(TokenRange.ALL, 10, 50), new Counted(TokenRange.ALL, 20, 80));
    fixture.densities.published(new Estimates(Map.of(new TableName("ks", "t"), halves)));
    fixture.cluster.tried(
        Map.of(
            new TableName("ks", "t"), new EstimatesTry(System.nanoTime() - 2_000_000_000L, null),
            new TableName("ks", "u"), new EstimatesTry(System.nanoTime(), "node 5: down")));
    assertThat(texts(estimates + "ranges = 2 AND mean_partition_bytes = 70 AND age_ms >= 0"))
        .containsExactly(List.of("t", "nodes"));
    assertThat(texts("SELECT JSON asked FROM system_proxy.estimates WHERE table_name = 't'"))
        .singleElement()
        .satisfies(row -> assertThat(row.get(0)).contains("1969-12-31 23:59:5"));
    assertThat(texts(estimates + "error = 'node 5: down'")).containsExactly(List.of("u", "none"));
    assertThat(texts(estimates + "ranges >= 0"))
        .as("values that no node reported are null")
        .hasSize(1);
  }
}
