package io.sluice.it;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/** One response frame. */
record RawFrame(int version, int flags, int stream, int opcode, ByteBuf body) {
  static final int ERROR = 0x00;
  static final int READY = 0x02;
  static final int AUTHENTICATE = 0x03;
  static final int SUPPORTED = 0x06;
  static final int RESULT = 0x08;
  static final int EVENT = 0x0C;

  /** Returns the code of an ERROR. */
  int code() {
    return body.getInt(body.readerIndex());
  }

  /** Returns the message of an ERROR. */
  String message() {
    int at = body.readerIndex() + 4;
    return body.toString(at + 2, body.getUnsignedShort(at), StandardCharsets.UTF_8);
  }

  /** Returns the three strings of a schema event and its object. */
  String event() {
    ByteBuf rest = body.duplicate();
    StringBuilder words = new StringBuilder();
    while (rest.isReadable(2) && rest.isReadable(2 + rest.getUnsignedShort(rest.readerIndex()))) {
      int length = rest.readUnsignedShort();
      words.append(rest.readCharSequence(length, StandardCharsets.UTF_8)).append(' ');
    }
    return words.toString().strip();
  }

  @Override
  public String toString() {
    String head =
        "version " + Integer.toHexString(version) + " stream " + stream + " opcode " + opcode;
    return opcode == ERROR ? head + " code " + Integer.toHexString(code()) + " " + message() : head;
  }
}
