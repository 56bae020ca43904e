package io.sluice;

import static io.sluice.TestRequests.query;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.wire.CqlCodec;
import io.sluice.wire.CqlRequest;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.TestFrames;
import io.sluice.wire.TestRows;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the rows of the proxy's tables in the virtual schema of the nodes. */
class VirtualSchemaTest extends ConsoleFixture {

  /** Whether the request has a paging state of the proxy, which no node knows. */
  private static boolean goesOn(Frame request) {
    return CqlRequest.of(request) instanceof CqlRequest.Query query
        && query.parameters().pagingState() != null;
  }

  private void nodesHaveSchema() {
    fixture.allDo(
        request ->
            goesOn(request)
                ? CqlCodec.error(4, ErrorCode.INVALID, "Invalid value for the paging state")
                : new TestRows("keyspace_name text")
                    .row(cell("a"))
                    .row(cell("system_views"))
                    .frame());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM system_virtual_schema.keyspaces",
        "SELECT keyspace_name FROM system_virtual_schema.keyspaces"
            + " WHERE keyspace_name IN ('a', 'system_proxy', 'system_views')",
      })
  void the_virtual_schema_has_the_keyspace_of_the_proxy_and_those_of_the_nodes(String cql)
      throws InterruptedException {
    nodesHaveSchema();
    assertThat(texts(cql))
        .containsExactly(List.of("a"), List.of("system_proxy"), List.of("system_views"));
  }

  @Test
  void the_virtual_schema_is_paged() throws InterruptedException {
    nodesHaveSchema();
    ByteBuffer state = null;
    StringBuilder seen = new StringBuilder();
    do {
      TestRows.Read page =
          fixture
              .ask(TestFrames.page("SELECT * FROM system_virtual_schema.keyspaces", 1, state))
              .page();
      texts(page).forEach(row -> seen.append(row.get(0)).append(' '));
      state = page.pagingState();
    } while (state != null);
    assertThat(seen.toString()).isEqualTo("a system_proxy system_views ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT max(keyspace_name) FROM system_virtual_schema.keyspaces",
        "SELECT * FROM system_virtual_schema.tables WHERE table_name = 'x' ALLOW FILTERING",
        "SELECT * FROM system_virtual_schema.tables WHERE keyspace_name > 'x' ALLOW FILTERING",
        "SELECT DISTINCT keyspace_name FROM system_virtual_schema.tables",
      })
  void a_node_answers_a_select_that_the_proxy_cannot_evaluate(String cql)
      throws InterruptedException {
    nodesHaveSchema();
    assertThat(fixture.ask(query(cql)).page().cells()).hasSize(2);
    assertThat(fixture.heard()).isEqualTo(1);
  }
}
