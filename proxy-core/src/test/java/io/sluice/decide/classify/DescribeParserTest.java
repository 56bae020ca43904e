package io.sluice.decide.classify;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ring.Catalog;
import io.sluice.ring.TestPartitioner;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests of {@link DescribeParser}: which DESCRIBE the proxy answers, to which it adds its own
 * keyspace, and which go to a node as they came.
 */
class DescribeParserTest {

  private static String shown(String cql, @Nullable String session) {
    return Shown.of(new Classifier().classify(cql, session, Catalog.EMPTY, TestPartitioner.ANY));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          # the proxy answers for its own keyspace
          DESCRIBE KEYSPACE system_proxy                 | PROXY system_proxy.null qualified describes KEYSPACE
          DESCRIBE KEYSPACE "system_proxy" WITH INTERNALS | PROXY system_proxy.null qualified describes KEYSPACE
          DESCRIBE ONLY KEYSPACE system_proxy            | PROXY system_proxy.null qualified describes KEYSPACE_ONLY
          DESCRIBE TABLE system_proxy.nodes              | PROXY system_proxy.nodes qualified describes TABLE nodes
          DESCRIBE system_proxy                          | PROXY system_proxy.null qualified describes KEYSPACE
          DESCRIBE system_proxy.nodes                    | PROXY system_proxy.nodes qualified describes TABLE nodes
          DESCRIBE "system_proxy".nodes                  | PROXY system_proxy.nodes qualified describes TABLE nodes
          # the names of all keyspaces are those of a node and the proxy s
          DESCRIBE KEYSPACES                | SYSTEM_LOCAL qualified all KEYSPACES
          DESC KEYSPACES                    | SYSTEM_LOCAL qualified all KEYSPACES
          DESCRIBE keyspaces;               | SYSTEM_LOCAL qualified all KEYSPACES
          DESCRIBE KEYSPACES WITH INTERNALS | SYSTEM_LOCAL qualified all KEYSPACES
          """)
  void the_proxy_answers_for_its_own_keyspace_and_adds_its_name_to_all_of_them(
      String cql, String expected) {
    assertThat(shown(cql, "ks")).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "DESCRIBE SCHEMA",
        "DESCRIBE FULL SCHEMA",
        "DESCRIBE KEYSPACE a",
        "DESCRIBE ONLY KEYSPACE a",
        "DESCRIBE TABLE a.t",
        "DESCRIBE COLUMNFAMILY a.t",
        "DESCRIBE TYPE a.u",
        "DESCRIBE FUNCTION a.f",
        "DESCRIBE MATERIALIZED VIEW a.v",
        "DESCRIBE a.t",
        "DESCRIBE type.t",
      })
  void what_names_its_keyspace_means_the_same_everywhere(String cql) {
    assertThat(shown(cql, "ks")).isEqualTo("NODE_LOCAL qualified");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "DESCRIBE \"keyspaces\"",
        "DESCRIBE TABLES",
        "DESCRIBE TYPES",
        "DESCRIBE FUNCTIONS",
        "DESCRIBE AGGREGATES",
        "DESCRIBE CLUSTER",
        "DESCRIBE KEYSPACE",
        "DESCRIBE ONLY KEYSPACE",
        "DESCRIBE TABLE t",
        "DESCRIBE INDEX i",
        "DESCRIBE INDEX a.i",
        "DESCRIBE TYPE u",
        "DESCRIBE AGGREGATE g",
        "DESCRIBE MATERIALIZED VIEW v",
        "DESCRIBE t",
        "DESCRIBE type",
        "DESCRIBE function",
        "DESCRIBE aggregate",
        "DESCRIBE cluster",
        "DESCRIBE only",
      })
  void what_names_none_depends_on_the_session(String cql) {
    assertThat(shown(cql, "ks")).isEqualTo("NODE_LOCAL");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "DESCRIBE KEYSPACES x",
        "DESCRIBE keyspaces.t",
        "DESCRIBE ONLY TABLE t",
        "DESCRIBE TABLE",
        "DESCRIBE MATERIALIZED",
        "DESCRIBE index",
        "DESCRIBE",
        "DESCRIBE 5",
        "DESCRIBE t u",
        "DESCRIBE system_proxy WITH",
        "DESCRIBE system_proxy WITH x",
        "DESCRIBE system_proxy.nodes WITH INTERNALS x",
        "DESCRIBE system_proxy; SELECT",
      })
  void what_cassandra_refuses_goes_to_a_node_that_says_so(String cql) {
    assertThat(shown(cql, "ks")).startsWith("NODE_LOCAL");
    assertThat(CassandraOracle.parse(cql)).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          DESCRIBE TABLES           | SYSTEM_LOCAL all TABLES
          DESC columnfamilies       | SYSTEM_LOCAL all TABLES
          DESCRIBE KEYSPACES        | SYSTEM_LOCAL qualified all KEYSPACES
          DESCRIBE TYPES            | NODE_LOCAL
          DESCRIBE KEYSPACE         | NODE_LOCAL
          DESCRIBE ONLY KEYSPACE    | NODE_LOCAL
          DESCRIBE system_proxy     | PROXY system_proxy.null qualified describes KEYSPACE
          DESCRIBE t                | NODE_LOCAL
          """)
  void without_a_keyspace_in_use_all_tables_are_meant(String cql, String expected) {
    assertThat(shown(cql, null)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          DESCRIBE TABLES           | PROXY system_proxy.null qualified describes TABLES
          DESCRIBE COLUMNFAMILIES   | PROXY system_proxy.null qualified describes TABLES
          DESCRIBE TYPES            | PROXY system_proxy.null qualified describes OTHERS
          DESCRIBE FUNCTIONS        | PROXY system_proxy.null qualified describes OTHERS
          DESCRIBE AGGREGATES       | PROXY system_proxy.null qualified describes OTHERS
          DESCRIBE KEYSPACE         | PROXY system_proxy.null qualified describes KEYSPACE
          DESCRIBE ONLY KEYSPACE    | PROXY system_proxy.null qualified describes KEYSPACE_ONLY
          DESCRIBE KEYSPACE a       | NODE_LOCAL qualified
          DESCRIBE ONLY KEYSPACE a  | NODE_LOCAL qualified
          DESCRIBE TABLE nodes      | PROXY system_proxy.nodes qualified describes TABLE nodes
          DESCRIBE TABLE a.nodes    | NODE_LOCAL qualified
          DESCRIBE nodes            | PROXY system_proxy.nodes qualified describes ELEMENT nodes
          DESCRIBE "tables"         | PROXY system_proxy.tables qualified describes ELEMENT tables
          DESCRIBE type             | PROXY system_proxy.type qualified describes ELEMENT type
          DESCRIBE type u           | NODE_LOCAL
          DESCRIBE type a.u         | NODE_LOCAL qualified
          DESCRIBE a.t              | NODE_LOCAL qualified
          DESCRIBE CLUSTER          | NODE_LOCAL
          DESCRIBE SCHEMA           | NODE_LOCAL qualified
          DESCRIBE nodes WITH INTERNALS | PROXY system_proxy.nodes qualified describes ELEMENT nodes
          """)
  void while_the_proxy_s_keyspace_is_in_use_bare_names_are_in_it(String cql, String expected) {
    assertThat(shown(cql, Classified.PROXY_KEYSPACE)).isEqualTo(expected);
  }
}
