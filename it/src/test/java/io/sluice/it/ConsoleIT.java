package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import io.sluice.it.cluster.CassandraCluster;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tables of {@code system_proxy}, read by a stock driver. */
@CassandraCluster
class ConsoleIT {

  private static final String COLUMNS =
      "SELECT column_name AS key FROM system_virtual_schema.columns"
          + " WHERE keyspace_name = 'system_proxy'";

  private static final String ONE_ROW = "SELECT * FROM console_mode.t WHERE k = 5";
  private static final String MANY_ROWS = "SELECT * FROM console_mode.t";
  private static final String HELD = "SELECT queued, in_flight FROM system_proxy.queues";
  private static final String MODE =
      "SELECT value, source FROM system_proxy.settings WHERE key = 'scheduling.mode'";

  private static final String SHADOW =
      "SELECT reads, now_p99_ms, estimated_p99_ms, estimated_refused FROM system_proxy.shadow"
          + " WHERE node = 'all'";

  @BeforeEach
  void needsProxy() {
    Stage.plain().needsProxy();
  }

  @ParameterizedTest
  @ValueSource(strings = {"V3", "V4", "V5"})
  void a_driver_knows_the_tables_and_can_read_them(String version) {
    Wire wire = new Wire(version, "none");
    try (CqlSession session =
        JavaDriver.openWithSchemaOf(Stage.plain().sluice(), wire, "system_proxy")) {
      KeyspaceMetadata keyspace =
          session.getMetadata().getKeyspace("system_proxy").orElseThrow(AssertionError::new);
      assertThat(keyspace.isVirtual()).isTrue();
      assertThat(keyspace.getTables()).isNotEmpty();
      for (TableMetadata table : keyspace.getTables().values()) {
        String cql = "SELECT * FROM system_proxy." + table.getName().asInternal();
        assertThat(session.execute(cql).getColumnDefinitions().size())
            .as(cql)
            .isEqualTo(table.getColumns().size());
        session.execute(session.prepare(cql).bind()).all();
      }
      assertThat(session.execute("SELECT node FROM system_proxy.nodes").all())
          .hasSameSizeAs(Stage.plain().cluster().nodes());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"V3", "V4", "V5"})
  void pages_and_bound_values_are_as_a_nodes(String version) {
    try (CqlSession session = JavaDriver.open(Stage.plain().sluice(), new Wire(version, "none"))) {
      List<String> whole = keys(session.execute(COLUMNS));
      assertThat(whole).contains("node", "class", "role");
      SimpleStatement paged = SimpleStatement.newInstance(COLUMNS).setPageSize(3);
      assertThat(keys(session.execute(paged))).isEqualTo(whole);
      PreparedStatement some =
          session.prepare("SELECT class AS key FROM system_proxy.queues WHERE class IN ? LIMIT ?");
      assertThat(keys(session.execute(some.bind(List.of("range", "other"), 2))))
          .isNotEmpty()
          .hasSizeLessThanOrEqualTo(2)
          .containsOnly("range");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"V3", "V4", "V5"})
  void the_mode_changes_while_reads_run(String version) {
    try (CqlSession session = JavaDriver.open(Stage.plain().sluice(), new Wire(version, "none"))) {
      session.execute(
          "CREATE KEYSPACE IF NOT EXISTS console_mode WITH replication"
              + " = {'class': 'SimpleStrategy', 'replication_factor': 2}");
      session.execute("CREATE TABLE IF NOT EXISTS console_mode.t (k int PRIMARY KEY)");
      for (int key = 0; key < 100; key++) {
        session.execute("INSERT INTO console_mode.t (k) VALUES (" + key + ")");
      }
      PreparedStatement change =
          session.prepare("UPDATE system_proxy.settings SET value = ? WHERE key = ?");
      List<CompletableFuture<?>> reads = new ArrayList<>();
      for (String mode : List.of("passthrough", "enforce", "observe", "enforce", "passthrough")) {
        for (int i = 0; i < 40; i++) {
          reads.add(session.executeAsync(MANY_ROWS).toCompletableFuture());
          reads.add(session.executeAsync(ONE_ROW).toCompletableFuture());
        }
        session.execute(change.bind(mode, "scheduling.mode"));
        Row setting = Objects.requireNonNull(session.execute(MODE).one());
        assertThat(setting.getString("value")).isEqualTo(mode);
      }
      session.execute("DELETE FROM system_proxy.settings WHERE key = 'scheduling.mode'");
      CompletableFuture.allOf(reads.toArray(CompletableFuture[]::new)).join();
      assertThat(session.execute(HELD).all())
          .isNotEmpty()
          .allMatch(row -> row.getInt("in_flight") == 0 && row.getInt("queued") == 0);
      assertThatThrownBy(() -> session.execute(change.bind("enfroce", "scheduling.mode")))
          .isInstanceOf(InvalidQueryException.class)
          .hasMessageContaining("must be one of enforce, observe, passthrough");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"V3", "V4", "V5"})
  void an_avoided_node_gets_no_reads_that_others_can_do(String version) {
    try (CqlSession session = JavaDriver.open(Stage.plain().sluice(), new Wire(version, "none"))) {
      session.execute(
          "CREATE KEYSPACE IF NOT EXISTS console_avoid WITH replication"
              + " = {'class': 'SimpleStrategy', 'replication_factor': 2}");
      session.execute("CREATE TABLE IF NOT EXISTS console_avoid.t (k int PRIMARY KEY)");
      PreparedStatement change =
          session.prepare("UPDATE system_proxy.nodes SET state = ? WHERE node = ?");
      for (Row each : session.execute("SELECT node FROM system_proxy.nodes")) {
        String node = Objects.requireNonNull(each.getString("node"));
        session.execute(change.bind("avoid", node));
        assertThat(
                session.execute("SELECT node FROM system_proxy.nodes WHERE avoided = true").all())
            .extracting(row -> row.getString("node"))
            .containsExactly(node);
        long before = served(session, node);
        for (int key = 0; key < 50; key++) {
          session.execute("INSERT INTO console_avoid.t (k) VALUES (" + key + ")");
          session.execute("SELECT * FROM console_avoid.t WHERE k = " + key);
          assertThat(session.execute("SELECT * FROM console_avoid.t").all()).isNotEmpty();
        }
        assertThat(served(session, node)).as("reads served by " + node).isEqualTo(before);
        session.execute(change.bind("normal", node));
      }
      session.execute("DROP KEYSPACE console_avoid");
    }
  }

  private static long served(CqlSession session, String node) {
    String cql = "SELECT served FROM system_proxy.queues WHERE node = '" + node + "'";
    return session.execute(cql).all().stream().mapToLong(row -> row.getLong("served")).sum();
  }

  /** The figures exist only in the mode observe, and are dropped when the mode changes. */
  @Test
  void predicted_figures_are_shown_beside_observed_ones() {
    try (CqlSession session = JavaDriver.open(Stage.plain().sluice(), Wire.USUAL)) {
      session.execute(
          "CREATE KEYSPACE IF NOT EXISTS console_shadow WITH replication"
              + " = {'class': 'SimpleStrategy', 'replication_factor': 1}");
      session.execute("CREATE TABLE IF NOT EXISTS console_shadow.t (k int PRIMARY KEY)");
      PreparedStatement change =
          session.prepare("UPDATE system_proxy.settings SET value = ? WHERE key = ?");
      session.execute(change.bind("observe", "scheduling.mode"));
      for (int key = 0; key < 50; key++) {
        session.execute("SELECT k FROM console_shadow.t WHERE k = " + key);
        session.execute("SELECT k FROM console_shadow.t");
      }
      await()
          .atMost(Waiting.PATIENCE)
          .untilAsserted(
              () -> {
                for (Row row : session.execute(SHADOW)) {
                  assertThat(row.getLong("reads")).isGreaterThanOrEqualTo(50);
                  assertThat(row.getDouble("now_p99_ms")).isPositive();
                  assertThat(row.getDouble("estimated_p99_ms")).isPositive();
                  assertThat(row.getLong("estimated_refused")).isZero();
                }
                assertThat(session.execute(SHADOW).all()).hasSize(2);
              });
      session.execute(change.bind("enforce", "scheduling.mode"));
      await().atMost(Waiting.PATIENCE).until(() -> session.execute(SHADOW).all().isEmpty());
      session.execute("DELETE FROM system_proxy.settings WHERE key = 'scheduling.mode'");
      session.execute("DROP KEYSPACE console_shadow");
    }
  }

  private static List<String> keys(Iterable<Row> rows) {
    List<String> keys = new ArrayList<>();
    rows.forEach(row -> keys.add(row.getString("key")));
    return keys;
  }

  @Test
  void a_statement_is_shown_with_its_cost_and_without_its_literals() {
    try (CqlSession session = JavaDriver.open(Stage.plain().sluice(), Wire.USUAL)) {
      session.execute(
          "CREATE KEYSPACE IF NOT EXISTS console_it WITH replication"
              + " = {'class': 'SimpleStrategy', 'replication_factor': 1}");
      session.execute("CREATE TABLE IF NOT EXISTS console_it.t (k int PRIMARY KEY, v text)");
      PreparedStatement write = session.prepare("INSERT INTO console_it.t (k, v) VALUES (?, ?)");
      // Other tests use the same proxy, and a statement is kept by how often it is used.
      for (int key = 0; key < 200; key++) {
        session.execute(write.bind(key, "a secret"));
        session.execute("SELECT v FROM console_it.t WHERE k = " + key);
      }
      assertThatThrownBy(() -> session.execute("SELECT v FROM console_it.t WHERE k = 'a secret'"))
          .hasMessageContaining("a secret");
      Map<String, Row> seen = new HashMap<>();
      for (Row row :
          session.execute(
              "SELECT text, calls, rows, errors, last_error, p50_ms, max_ms"
                  + " FROM system_proxy.statements WHERE keyspace_name = 'console_it'")) {
        seen.put(row.getString("text"), row);
      }
      assertThat(seen.keySet())
          .contains("INSERT INTO console_it.t (k, v) VALUES (?, ...)")
          .noneMatch(text -> text.contains("secret"));
      Row read = Objects.requireNonNull(seen.get("SELECT v FROM console_it.t WHERE k = ?"));
      assertThat(read.getLong("calls")).isBetween(2L, 201L);
      assertThat(read.getLong("rows")).isEqualTo(read.getLong("calls") - 1);
      assertThat(read.getLong("errors")).isEqualTo(1);
      assertThat(read.getString("last_error")).isEqualTo("INVALID by a node");
      assertThat(read.getDouble("p50_ms"))
          .isPositive()
          .isLessThanOrEqualTo(read.getDouble("max_ms"));
      assertThat(
              session
                  .execute(
                      "SELECT class FROM system_proxy.tables WHERE keyspace_name = 'console_it'"
                          + " AND table_name = 't' AND calls >= 20")
                  .all())
          .extracting(row -> row.getString("class"))
          .containsExactlyInAnyOrder("point_read", "write");
      assertThat(session.execute("SELECT text FROM system_proxy.prepared").all())
          .extracting(row -> row.getString("text"))
          .contains("INSERT INTO console_it.t (k, v) VALUES (?, ...)");
      assertThat(session.execute("SELECT state FROM system_proxy.links").all())
          .isNotEmpty()
          .extracting(row -> row.getString("state"))
          .contains("open");
      session.execute("DROP KEYSPACE console_it");
    }
  }
}
