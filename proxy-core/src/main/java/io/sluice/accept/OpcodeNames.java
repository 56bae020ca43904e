package io.sluice.accept;

import io.sluice.wire.Opcode;

/** The names that Cassandra's error messages give to requests; empty for what is none. */
final class OpcodeNames {

  private OpcodeNames() {}

  static String of(int opcode) {
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
