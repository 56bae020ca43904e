package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import io.sluice.it.cluster.CassandraCluster;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tables of {@code system_proxy}, as a stock driver sees them. */
@CassandraCluster
class ConsoleIT {

  private static final String COLUMNS =
      "SELECT column_name AS key FROM system_virtual_schema.columns"
          + " WHERE keyspace_name = 'system_proxy'";

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

  private static List<String> keys(Iterable<Row> rows) {
    List<String> keys = new ArrayList<>();
    rows.forEach(row -> keys.add(row.getString("key")));
    return keys;
  }
}
