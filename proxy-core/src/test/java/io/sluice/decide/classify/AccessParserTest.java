package io.sluice.decide.classify;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ring.Catalog;
import io.sluice.ring.TestPartitioner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests of {@link AccessParser}: whether a statement about roles or permissions means the same in
 * every keyspace. If it does not, its link must be in the keyspace of the session: a permission on
 * a table of the same name elsewhere would be granted.
 */
class AccessParserTest {

  private static Classified classify(String cql) {
    return new Classifier().classify(cql, "ks", Catalog.EMPTY, TestPartitioner.ANY);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE ROLE r",
        "CREATE USER u",
        "ALTER ROLE r WITH LOGIN = true",
        "ALTER USER u SUPERUSER",
        "DROP ROLE IF EXISTS r",
        "DROP USER u",
        "DROP IDENTITY 'x'",
        "ADD IDENTITY 'x' TO ROLE 'r'",
        "GRANT SELECT ON a.t TO r",
        "GRANT SELECT ON TABLE a.t TO r",
        "GRANT ALL ON KEYSPACE a TO r",
        "GRANT ALL PERMISSIONS ON ALL KEYSPACES TO r",
        "GRANT SELECT ON ALL TABLES IN KEYSPACE a TO r",
        "GRANT EXECUTE ON FUNCTION a.f(int) TO r",
        "GRANT EXECUTE ON ALL FUNCTIONS TO r",
        "GRANT EXECUTE ON ALL MBEANS TO r",
        "GRANT EXECUTE ON MBEAN 'x' TO r",
        "GRANT EXECUTE ON MBEANS 'x' TO r",
        "GRANT ALTER ON ROLE s TO r",
        "GRANT ALTER ON ALL ROLES TO r",
        "GRANT r TO s",
        "REVOKE SELECT ON \"A\".t FROM r",
        "REVOKE r FROM s",
        "LIST ROLES",
        "LIST ROLES OF r NORECURSIVE",
        "LIST USERS",
        "LIST ALL PERMISSIONS",
        "LIST ALL PERMISSIONS OF r",
        "LIST SELECT PERMISSION ON a.t OF r NORECURSIVE",
        "LIST ROLES;",
        "GRANT SELECT ON a.t TO r;",
      })
  void a_statement_without_a_bare_table_means_the_same_everywhere(String cql) {
    Classified verdict = classify(cql);
    assertThat(verdict.shape()).isEqualTo(StatementShape.OTHER);
    assertThat(verdict.qualified()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GRANT SELECT ON t TO r",
        "GRANT SELECT ON TABLE t TO r",
        "GRANT SELECT ON COLUMNFAMILY t TO r",
        "REVOKE SELECT ON t FROM r",
        "LIST SELECT PERMISSION ON t",
        "LIST SELECT PERMISSION ON t NORECURSIVE",
        "GRANT SELECT ON role TO r",
      })
  void a_bare_table_is_one_of_the_session_s_keyspace(String cql) {
    Classified verdict = classify(cql);
    assertThat(verdict.shape()).isEqualTo(StatementShape.OTHER);
    assertThat(verdict.qualified()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GRANT SELECT ON",
        "GRANT SELECT ON t TO r AND SELECT ON a.t TO r",
        "GRANT SELECT ON TABLE",
        "GRANT SELECT ON 'x' TO r",
        "GRANT SELECT ON a.t TO 'open",
        "LISTS ROLES",
        "COMMENT ON TABLE t IS 'x'",
        "SECURITY LABEL ON TABLE t IS 'x'",
        "EXPLAIN SELECT * FROM t",
      })
  void what_is_not_understood_may_name_a_table(String cql) {
    Classified verdict = classify(cql);
    assertThat(verdict.shape()).isEqualTo(StatementShape.OTHER);
    assertThat(verdict.qualified()).isFalse();
  }

  @Test
  void a_qualified_statement_has_the_same_digest_in_every_keyspace() {
    String cql = "GRANT SELECT ON a.t TO r";
    Classified elsewhere =
        new Classifier().classify(cql, "other", Catalog.EMPTY, TestPartitioner.ANY);
    assertThat(elsewhere.digest()).isEqualTo(classify(cql).digest());
    String bare = "GRANT SELECT ON t TO r";
    Classified bareElsewhere =
        new Classifier().classify(bare, "other", Catalog.EMPTY, TestPartitioner.ANY);
    assertThat(bareElsewhere.digest()).isNotEqualTo(classify(bare).digest());
  }
}
