package io.sluice;

import static io.sluice.TestRequests.query;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.protocol.internal.request.Execute;
import com.datastax.oss.protocol.internal.request.query.QueryOptions;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.PreparedId;
import io.sluice.wire.TestFrames;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests statements that could change, or do not need, the keyspace of a shared link. */
class SharedKeyspaceTest {

  private static final String MANY = ";".repeat(66_000);

  private final PathFixture fixture = new PathFixture(1);

  @AfterEach
  void close() {
    fixture.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"USE b%s", "/* x */ USE b%s", "-- x\nuse \"b\"%s", "USE b c", "USE", "USE ?"})
  void a_use_that_is_not_understood_reaches_no_node(String cql) throws InterruptedException {
    fixture.allDo(request -> CqlCodec.keyspaceSet(4, "b"));
    assertThat(fixture.ask(query(cql.formatted(MANY))).answer()).isEqualTo("2000");
    assertThat(fixture.heard()).isZero();
    assertThat(fixture.client.keyspace()).isNull();
  }

  @Test
  void a_prepared_use_that_is_not_understood_is_not_executed() throws InterruptedException {
    PreparedId id = TestFrames.id("use");
    fixture.allDo(request -> TestFrames.prepared(4, id));
    String cql = "USE b" + ";".repeat(66_000);
    assertThat(fixture.ask(CqlCodec.prepare(4, cql, null)).answer()).isEqualTo("opcode 8");
    assertThat(
            fixture
                .ask(
                    TestFrames.request(
                        4, 9, new Execute(TestFrames.bytes(id), QueryOptions.DEFAULT)))
                .answer())
        .isEqualTo("2000");
    assertThat(fixture.heard()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "LIST ROLES",
        "CREATE ROLE a",
        "GRANT a TO b",
        "GRANT SELECT ON other.t TO a",
        "DESCRIBE KEYSPACES",
        "DESCRIBE KEYSPACE other",
        "DESC other.t"
      })
  void a_statement_that_needs_no_keyspace_is_served_although_that_of_the_session_is_gone(String cql)
      throws InterruptedException {
    fixture.client.uses("gone");
    fixture.allDo(
        request ->
            TestFrames.hex(request).contains("55534520")
                ? CqlCodec.error(4, ErrorCode.INVALID, "Keyspace 'gone' does not exist")
                : TestRequests.rows());
    assertThat(fixture.ask(query(cql)).answer()).isEqualTo("rows");
    assertThat(fixture.ask(query("GRANT SELECT ON t TO a")).answer()).isEqualTo("2200");
  }
}
