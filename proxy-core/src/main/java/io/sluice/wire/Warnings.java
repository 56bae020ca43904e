package io.sluice.wire;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Adds warnings to a client's response. Stateless. */
final class Warnings {

  private static final int MAX_BYTES = 4096;

  /** The most warnings of a response, as their number has two bytes. */
  private static final int MAX = 0xFFFF;

  private static final int TRACE_ID = 2 * Long.BYTES;

  private Warnings() {}

  /**
   * Returns a RESULT with these warnings after its own, as far as there is room. Other responses,
   * and those before v4, stay unchanged. Takes ownership of the frame.
   */
  static Frame addTo(Frame answer, List<String> warnings) {
    if (warnings.isEmpty()
        || answer.version() < ProtocolVersion.WARNINGS
        || answer.opcode() != Opcode.RESULT) {
      return answer;
    }
    ByteBuf in = answer.body();
    List<byte[]> texts = new ArrayList<>();
    int room = answer.length() + Short.BYTES;
    for (String each : warnings) {
      byte[] text = utf8(each);
      texts.add(text);
      room += Short.BYTES + text.length;
    }
    ByteBuf out = Buffers.POOL.ioBuffer(room);
    out.writeZero(Frame.HEADER_LENGTH);
    if (answer.has(Frame.FLAG_TRACING)) {
      out.writeBytes(in, TRACE_ID);
    }
    int before = answer.has(Frame.FLAG_WARNING) ? in.readUnsignedShort() : 0;
    int added = Math.min(texts.size(), MAX - before);
    out.writeShort(before + added);
    int from = in.readerIndex();
    for (int n = before; n > 0; n--) {
      Primitives.skipString(in);
    }
    out.writeBytes(in, from, in.readerIndex() - from);
    texts.subList(0, added).forEach(text -> out.writeShort(text.length).writeBytes(text));
    out.writeBytes(in);
    Frame made = Frame.response(out, answer.version(), answer.stream(), answer.opcode());
    made.setFlags(answer.flags() | Frame.FLAG_WARNING);
    answer.release();
    return made;
  }

  /**
   * Limits the text, as a protocol string has at most 65,535 bytes and an operator's text may be
   * longer.
   */
  private static byte[] utf8(String text) {
    String shortened = text.length() <= MAX_BYTES ? text : text.substring(0, MAX_BYTES) + "…";
    return shortened.getBytes(StandardCharsets.UTF_8);
  }
}
