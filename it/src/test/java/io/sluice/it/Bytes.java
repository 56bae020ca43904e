package io.sluice.it;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;

/** Builds request bodies and whole frames, valid or invalid. */
final class Bytes {
  static final int STARTUP = 0x01;
  static final int OPTIONS = 0x05;
  static final int QUERY = 0x07;
  static final int PREPARE = 0x09;
  static final int EXECUTE = 0x0A;
  static final int REGISTER = 0x0B;
  static final int BATCH = 0x0D;
  static final int AUTH_RESPONSE = 0x0F;

  private final ByteBuf buffer = Unpooled.buffer();

  Bytes int8(int value) {
    buffer.writeByte(value);
    return this;
  }

  Bytes int16(int value) {
    buffer.writeShort(value);
    return this;
  }

  Bytes int32(int value) {
    buffer.writeInt(value);
    return this;
  }

  Bytes string(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    buffer.writeShort(bytes.length).writeBytes(bytes);
    return this;
  }

  Bytes longString(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    buffer.writeInt(bytes.length).writeBytes(bytes);
    return this;
  }

  Bytes stringMap(Map<String, String> map) {
    int16(map.size());
    map.forEach((key, value) -> string(key).string(value));
    return this;
  }

  Bytes hex(String digits) {
    buffer.writeBytes(HexFormat.of().parseHex(digits));
    return this;
  }

  Bytes bytes(byte[] more) {
    buffer.writeBytes(more);
    return this;
  }

  Bytes zeros(int count) {
    buffer.writeZero(count);
    return this;
  }

  byte[] done() {
    return ByteBufUtil.getBytes(buffer);
  }

  /** Returns a whole request frame. */
  static byte[] frame(int version, int flags, int stream, int opcode, byte[] body) {
    return frame(version, flags, stream, opcode, body.length, body);
  }

  /** Returns a request frame with this length, which may be wrong. */
  static byte[] frame(int version, int flags, int stream, int opcode, int length, byte[] body) {
    Bytes frame = new Bytes().int8(version).int8(flags).int16(stream).int8(opcode).int32(length);
    frame.buffer.writeBytes(body);
    return frame.done();
  }

  /** Returns the body of STARTUP. */
  static byte[] startup() {
    return new Bytes().stringMap(Map.of("CQL_VERSION", "3.0.0")).done();
  }

  /** Returns the body of QUERY at ONE, without values. */
  static byte[] query(int version, String cql) {
    Bytes body = new Bytes().longString(cql).int16(0x0001);
    return (version >= 5 ? body.int32(0) : body.int8(0)).done();
  }
}
