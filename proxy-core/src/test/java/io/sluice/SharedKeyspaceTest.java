package io.sluice;

import static io.sluice.TestRequests.query;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.TestFrames;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests statements that do not need the keyspace of their session. */
class SharedKeyspaceTest {

  private final PathFixture fixture = new PathFixture(1);

  @AfterEach
  void close() {
    fixture.close();
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
