package io.sluice.accept;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OpcodeNamesTest {

  /** The words of Cassandra's own errors. */
  @ParameterizedTest
  @CsvSource({
    "1, STARTUP",
    "7, QUERY",
    "9, PREPARE",
    "10, EXECUTE",
    "11, REGISTER",
    "13, BATCH",
    "15, AUTH_RESPONSE"
  })
  void an_unexpected_request_is_named(int opcode, String name) {
    assertThat(OpcodeNames.unexpected(opcode, "STARTUP or OPTIONS"))
        .hasMessage("Unexpected message " + name + ", expecting STARTUP or OPTIONS");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2, 8, 12, 14, 255})
  void an_opcode_of_no_request_is_unknown(int opcode) {
    assertThat(OpcodeNames.unexpected(opcode, "x")).hasMessage("Unknown opcode " + opcode);
  }
}
