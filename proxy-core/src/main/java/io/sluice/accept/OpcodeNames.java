package io.sluice.accept;

import io.sluice.wire.Opcode;
import io.sluice.wire.ProtocolError;

/** The names of request opcodes in Cassandra's error messages; empty for other opcodes. */
final class OpcodeNames {

  private OpcodeNames() {}

  /** Returns the error for an unexpected request, in Cassandra's words. */
  static ProtocolError unexpected(int opcode, String expected) {
    String name = of(opcode);
    return ProtocolError.of(
        0,
        name.isEmpty()
            ? "Unknown opcode " + opcode
            : "Unexpected message " + name + ", expecting " + expected);
  }

  private static String of(int opcode) {
    return switch (opcode) {
      case Opcode.STARTUP -> "STARTUP";
      case Opcode.QUERY -> "QUERY";
      case Opcode.PREPARE -> "PREPARE";
      case Opcode.EXECUTE -> "EXECUTE";
      case Opcode.REGISTER -> "REGISTER";
      case Opcode.BATCH -> "BATCH";
      case Opcode.AUTH_RESPONSE -> "AUTH_RESPONSE";
      default -> "";
    };
  }
}
