package io.sluice.decide.classify;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ring.Catalog;
import io.sluice.ring.TestPartitioner;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests of {@link DefinitionParser}: the schema that CREATE, ALTER and DROP change, and whether
 * their text means the same in every keyspace. Nothing else of them matters to the proxy.
 */
class DefinitionParserTest {

  private static String shown(String cql) {
    return Shown.of(new Classifier().classify(cql, "ks", Catalog.EMPTY, TestPartitioner.ANY));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          # a keyspace depends on no other keyspace
          CREATE KEYSPACE a WITH replication = {}      | SCHEMA a.null qualified
          CREATE KEYSPACE IF NOT EXISTS "A" WITH x = 1 | SCHEMA A.null qualified
          CREATE SCHEMA a WITH x = 1                   | SCHEMA a.null qualified
          ALTER KEYSPACE a WITH x = 1                  | SCHEMA a.null qualified
          ALTER KEYSPACE IF EXISTS a WITH x = 1        | SCHEMA a.null qualified
          DROP KEYSPACE IF EXISTS a                    | SCHEMA a.null qualified
          DROP SCHEMA a                                | SCHEMA a.null qualified
          # a table or a view belongs to the keyspace of its name or of the session
          CREATE TABLE a.t (k int PRIMARY KEY)           | SCHEMA a.t qualified
          CREATE TABLE t (k int PRIMARY KEY)             | SCHEMA ks.t
          CREATE COLUMNFAMILY IF NOT EXISTS t (k int PRIMARY KEY) | SCHEMA ks.t
          CREATE TABLE a.t LIKE b.t                      | SCHEMA a.t
          CREATE TABLE a.t LIKE t                        | SCHEMA a.t
          ALTER TABLE a.t ADD v int                      | SCHEMA a.t qualified
          ALTER TABLE t DROP v                           | SCHEMA ks.t
          ALTER TABLE IF EXISTS a.t RENAME a TO b        | SCHEMA a.t qualified
          ALTER COLUMNFAMILY a.t WITH comment = 'x'      | SCHEMA a.t qualified
          DROP TABLE IF EXISTS a.t                       | SCHEMA a.t qualified
          DROP TABLE "A"."T"                             | SCHEMA A.T qualified
          CREATE MATERIALIZED VIEW a.v AS SELECT * FROM t WHERE k IS NOT NULL PRIMARY KEY (k) | SCHEMA a.v qualified
          CREATE MATERIALIZED VIEW v AS SELECT * FROM a.t WHERE k IS NOT NULL PRIMARY KEY (k) | SCHEMA ks.v
          ALTER MATERIALIZED VIEW a.v WITH comment = 'x' | SCHEMA a.v qualified
          DROP MATERIALIZED VIEW IF EXISTS v             | SCHEMA ks.v
          # another object belongs to the keyspace of its name or of its table
          CREATE INDEX ON a.t (v)                        | SCHEMA a.null qualified
          CREATE INDEX IF NOT EXISTS i ON a.t (v)        | SCHEMA a.null qualified
          CREATE INDEX a.i ON t (v)                      | SCHEMA a.null qualified
          CREATE CUSTOM INDEX i ON a.t (v) USING 'sai'   | SCHEMA a.null qualified
          DROP INDEX a.i                                 | SCHEMA a.null qualified
          CREATE TYPE IF NOT EXISTS a.u (f int)          | SCHEMA a.null qualified
          ALTER TYPE "A".u ADD g int                     | SCHEMA A.null qualified
          CREATE FUNCTION a.f (x int) CALLED ON NULL INPUT RETURNS int LANGUAGE java AS 'x' | SCHEMA a.null qualified
          CREATE OR REPLACE FUNCTION a.token (x int) CALLED ON NULL INPUT RETURNS int LANGUAGE java AS 'x' | SCHEMA a.null qualified
          CREATE OR REPLACE AGGREGATE a.g (int) SFUNC f STYPE int | SCHEMA a.null qualified
          DROP FUNCTION IF EXISTS a.f (int)              | SCHEMA a.null qualified
          CREATE TRIGGER x ON a.t USING 'y'              | SCHEMA a.null qualified
          DROP TRIGGER IF EXISTS x ON a.t                | SCHEMA a.null qualified
          # without a keyspace only its kind is known
          CREATE INDEX ON t (v)                          | SCHEMA
          CREATE INDEX i ON t (v)                        | SCHEMA
          DROP INDEX i                                   | SCHEMA
          DROP TYPE u                                    | SCHEMA
          CREATE OR REPLACE FUNCTION f (x int) CALLED ON NULL INPUT RETURNS int LANGUAGE java AS 'x' | SCHEMA
          CREATE FUNCTION token (x int) CALLED ON NULL INPUT RETURNS int LANGUAGE java AS 'x' | SCHEMA
          DROP AGGREGATE g                               | SCHEMA
          DROP TRIGGER x ON t                            | SCHEMA
          # the keyspace of the proxy cannot be changed
          CREATE TABLE system_proxy.t (k int PRIMARY KEY) | PROXY system_proxy.t qualified unsupported
          DROP KEYSPACE system_proxy                     | PROXY system_proxy.null qualified unsupported
          CREATE TYPE system_proxy.u (f int)             | PROXY system_proxy.null qualified unsupported
          ALTER TABLE system_proxy.nodes ADD v int       | PROXY system_proxy.nodes qualified unsupported
          # the text behind a head is left to the node
          CREATE TABLE a.t (k int 'open | SCHEMA a.t qualified
          CREATE KEYSPACE a /* open     | SCHEMA a.null qualified
          # a head that is not understood is forwarded in the keyspace of the session
          CREATE                      | OTHER
          CREATE KEYSPACE             | OTHER
          CREATE KEYSPACE select      | OTHER
          CREATE TABLE                | OTHER
          CREATE TABLE a.             | OTHER
          CREATE TABLE IF t           | OTHER
          CREATE MATERIALIZED TABLE v | OTHER
          CREATE OR TABLE t           | OTHER
          CREATE CUSTOM TABLE t       | OTHER
          CREATE OR REPLACE           | OTHER
          CREATE THING x              | OTHER
          DROP                        | OTHER
          DROP 'x'                    | OTHER
          """)
  void a_definition_has_the_schema_of_its_head_and_is_qualified_if_no_text_behind_may_be_bare(
      String cql, String expected) {
    assertThat(shown(cql)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "CREATE TABLE t (k int PRIMARY KEY), SCHEMA null.t",
    "CREATE TABLE a.t (k int PRIMARY KEY), SCHEMA a.t qualified",
    "DROP MATERIALIZED VIEW v, SCHEMA null.v"
  })
  void without_a_keyspace_of_the_session_a_bare_name_has_none(String cql, String expected) {
    Classified verdict = new Classifier().classify(cql, null, Catalog.EMPTY, TestPartitioner.ANY);
    assertThat(Shown.of(verdict)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "CREATE TABLE t (k int PRIMARY KEY), PROXY system_proxy.t qualified unsupported",
    "CREATE TABLE a.t (k int PRIMARY KEY), SCHEMA a.t qualified",
    "CREATE TYPE u (f int), SCHEMA"
  })
  void in_a_session_of_the_proxy_s_keyspace_a_bare_table_is_the_proxy_s(
      String cql, String expected) {
    Classified verdict =
        new Classifier()
            .classify(cql, Classified.PROXY_KEYSPACE, Catalog.EMPTY, TestPartitioner.ANY);
    assertThat(Shown.of(verdict)).isEqualTo(expected);
  }
}
