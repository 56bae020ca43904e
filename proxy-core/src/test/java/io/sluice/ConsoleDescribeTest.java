package io.sluice;

import static io.sluice.TestRequests.query;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.wire.CqlCodec;
import io.sluice.wire.CqlRequest;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.Opcode;
import io.sluice.wire.TestFrames;
import io.sluice.wire.TestRows;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** DESCRIBE of {@code system_proxy}, by itself and beside the keyspaces of nodes. */
class ConsoleDescribeTest {

  private final PathFixture fixture = new PathFixture(2);

  @AfterEach
  void close() {
    fixture.close();
  }

  private List<List<String>> texts(String cql) throws InterruptedException {
    return texts(fixture.ask(query(cql)).page());
  }

  private static List<List<String>> texts(TestRows.Read page) {
    return page.cells().stream()
        .map(row -> row.stream().map(ConsoleDescribeTest::text).toList())
        .toList();
  }

  private static String text(ByteBuffer cell) {
    return StandardCharsets.UTF_8.decode(cell.duplicate()).toString();
  }

  private static ByteBuffer cell(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  private static List<String> names(List<List<String>> rows) {
    return rows.stream().map(row -> row.get(0) + "." + row.get(2)).toList();
  }

  /** No node knows the proxy's paging states. */
  private static @Nullable ByteBuffer pagingState(Frame request) {
    return CqlRequest.of(request) instanceof CqlRequest.Query query
        ? query.parameters().pagingState()
        : null;
  }

  /** Makes nodes answer every QUERY with these rows of (keyspace, name). */
  private void nodesDescribe(List<List<String>> elements) {
    fixture.allDo(
        request -> {
          if (pagingState(request) != null) {
            return CqlCodec.error(4, ErrorCode.INVALID, "Invalid value for the paging state");
          }
          TestRows rows = new TestRows("keyspace_name text, type text, name text");
          elements.forEach(each -> rows.row(cell(each.get(0)), cell("table"), cell(each.get(1))));
          return rows.frame();
        });
  }

  @Test
  void the_proxys_keyspace_is_in_its_place_among_those_of_a_node() throws InterruptedException {
    nodesDescribe(
        List.of(
            List.of("\"Shop\"", "\"Shop\""),
            List.of("system", "system"),
            List.of("system_schema", "system_schema")));
    assertThat(texts("DESC KEYSPACES;"))
        .containsExactly(
            List.of("\"Shop\"", "table", "\"Shop\""),
            List.of("system", "table", "system"),
            List.of("system_proxy", "keyspace", "system_proxy"),
            List.of("system_schema", "table", "system_schema"));
  }

  @Test
  void all_tables_of_the_proxy_are_among_those_of_a_node() throws InterruptedException {
    nodesDescribe(
        List.of(List.of("shop", "\"B\""), List.of("shop", "a"), List.of("system_views", "c")));
    List<List<String>> rows = texts("DESCRIBE TABLES");
    assertThat(names(rows))
        .startsWith("shop.\"B\"", "shop.a", "system_proxy.clients")
        .contains("system_proxy.nodes")
        .endsWith("system_views.c");
    assertThat(names(rows.subList(2, rows.size() - 1)))
        .isSorted()
        .hasSameSizeAs(texts("DESCRIBE KEYSPACE system_proxy").subList(1, rows.size() - 2));
    assertThat(rows.subList(2, rows.size() - 1)).allMatch(row -> row.get(1).equals("table"));
  }

  @Test
  void the_tables_are_paged_and_a_change_between_two_pages_is_reported()
      throws InterruptedException {
    nodesDescribe(List.of(List.of("shop", "a"), List.of("system_views", "c")));
    List<List<String>> whole = texts("DESCRIBE TABLES");
    List<List<String>> seen = new ArrayList<>();
    ByteBuffer state = null;
    ByteBuffer second = null;
    do {
      TestRows.Read page = fixture.ask(TestFrames.page("DESCRIBE TABLES", 3, state)).page();
      assertThat(page.cells()).hasSizeBetween(1, 3);
      seen.addAll(texts(page));
      state = page.pagingState();
      second = second == null ? state : second;
    } while (state != null);
    assertThat(seen).isEqualTo(whole);
    nodesDescribe(List.of(List.of("shop", "a"), List.of("shop", "b")));
    PathFixture.Asked later = fixture.ask(TestFrames.page("DESCRIBE TABLES", 3, second));
    assertThat(later.answer()).isEqualTo("2200");
    assertThat(later.words).contains("changed since the previous page");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "DESCRIBE FULL SCHEMA",
        "DESCRIBE TABLE ks.t",
        "DESCRIBE CLUSTER",
        "DESCRIBE TYPES",
        "DESCRIBE \"tables\"",
      })
  void a_node_alone_answers_any_other_form(String cql) throws InterruptedException {
    nodesDescribe(List.of(List.of("shop", "a")));
    assertThat(names(texts(cql))).containsExactly("shop.a");
    assertThat(fixture.heard()).isEqualTo(1);
  }

  @Test
  void a_node_alone_answers_in_a_session_with_another_keyspace() throws InterruptedException {
    nodesDescribe(List.of(List.of("ks", "t")));
    fixture.client.keyspace("ks");
    assertThat(names(texts("DESCRIBE TABLES"))).containsExactly("ks.t");
    assertThat(names(texts("DESCRIBE KEYSPACES")))
        .containsExactly("ks.t", "system_proxy.system_proxy");
  }

  @Test
  void bare_names_are_of_the_keyspace_in_use() throws InterruptedException {
    assertThat(fixture.ask(query("USE system_proxy")).answer())
        .isEqualTo("opcode " + Opcode.RESULT);
    assertThat(names(texts("DESC nodes"))).containsExactly("system_proxy.nodes");
    assertThat(names(texts("DESC TABLES"))).contains("system_proxy.nodes", "system_proxy.requests");
    assertThat(texts("DESC TYPES")).isEmpty();
    assertThat(names(texts("DESC KEYSPACE"))).startsWith("system_proxy.system_proxy");
    assertThat(names(texts("DESC ONLY KEYSPACE"))).containsExactly("system_proxy.system_proxy");
    TestRows.Read page = fixture.ask(TestFrames.page("DESC KEYSPACE", 2, null)).page();
    assertThat(page.cells()).hasSize(2);
    assertThat(page.pagingState()).isNotNull();
    assertThat(fixture.heard()).isZero();
    fixture.allDo(request -> TestRequests.rows());
    assertThat(fixture.ask(query("DESC ks")).answer()).isEqualTo("rows");
    assertThat(fixture.heard()).isEqualTo(1);
  }

  @Test
  void a_table_reads_as_cassandra_describes_a_virtual_one() throws InterruptedException {
    assertThat(texts("DESCRIBE ONLY KEYSPACE system_proxy"))
        .containsExactly(
            List.of(
                "system_proxy",
                "keyspace",
                "system_proxy",
                """
                /*
                Warning: Keyspace system_proxy is a virtual keyspace and cannot be recreated with CQL.
                Structure, for reference:
                VIRTUAL KEYSPACE system_proxy;
                */"""));
    assertThat(texts("DESCRIBE TABLE system_proxy.limits").get(0).get(3))
        .startsWith(
            """
            /*
            Warning: Table system_proxy.limits is a virtual table and cannot be recreated with CQL.
            Structure, for reference:
            VIRTUAL TABLE system_proxy.limits (
            """)
        .contains(",\n    PRIMARY KEY (")
        .contains(")\n) WITH CLUSTERING ORDER BY (limit_name ASC)\n    AND comment = '")
        .endsWith("';\n*/");
    assertThat(texts("DESCRIBE TABLE system_proxy.nodes").get(0).get(3))
        .contains("\n    node text PRIMARY KEY,\n")
        .contains("\n) WITH comment = '")
        .doesNotContain("PRIMARY KEY (");
  }
}
