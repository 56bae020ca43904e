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

  private static final int PREPARE = 0x09;

  private final PathFixture fixture = new PathFixture(1);

  @AfterEach
  void close() {
    fixture.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"USE b; c", "/* x */ USE b 1", "-- x\nuse \"b\" c", "USE b c", "USE", "USE ?"})
  void a_use_that_is_not_understood_is_prepared_at_a_node_but_not_executed(String cql)
      throws InterruptedException {
    fixture.allDo(
        request ->
            request.opcode() == PREPARE
                ? TestFrames.prepared(4, TestFrames.id("use"))
                : CqlCodec.keyspaceSet(4, "b"));
    PathFixture.Asked asked = fixture.ask(query(cql));
    assertThat(asked.answer()).isEqualTo("2000");
    assertThat(asked.words).contains("Sluice does not understand this USE");
    assertThat(fixture.heard()).isEqualTo(1);
    assertThat(fixture.client.keyspace()).isNull();
  }

  @Test
  void a_use_may_end_with_any_number_of_semicolons() throws InterruptedException {
    fixture.allDo(request -> CqlCodec.keyspaceSet(4, "b"));
    assertThat(fixture.ask(query("USE b" + ";".repeat(66_000))).answer()).isEqualTo("opcode 8");
    assertThat(fixture.client.keyspace()).isEqualTo("b");
  }

  @Test
  void a_use_that_a_node_does_not_prepare_fails_with_the_error_of_the_node()
      throws InterruptedException {
    fixture.allDo(
        request -> CqlCodec.error(4, ErrorCode.SYNTAX_ERROR, "Bind variables cannot be used"));
    PathFixture.Asked asked = fixture.ask(query("USE ?"));
    assertThat(asked.answer()).isEqualTo("2000");
    assertThat(asked.words).isEqualTo("Bind variables cannot be used");
  }

  @Test
  void a_prepared_use_that_is_not_understood_is_not_executed() throws InterruptedException {
    PreparedId id = TestFrames.id("use");
    fixture.allDo(
        request ->
            request.opcode() == PREPARE
                ? TestFrames.prepared(4, id)
                : CqlCodec.keyspaceSet(4, "b"));
    String cql = "USE b c";
    assertThat(fixture.ask(CqlCodec.prepare(4, cql, null)).answer()).isEqualTo("opcode 8");
    assertThat(
            fixture
                .ask(
                    TestFrames.request(
                        4, 9, new Execute(TestFrames.bytes(id), QueryOptions.DEFAULT)))
                .answer())
        .isEqualTo("2000");
    assertThat(fixture.client.keyspace()).isNull();
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
