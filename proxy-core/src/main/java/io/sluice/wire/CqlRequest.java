package io.sluice.wire;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The parts of a request with CQL that the proxy reads; everything else stays bytes. */
public sealed interface CqlRequest {

  /** A batch's child has a kind, the length of a prepared id, and a number of values. */
  int LEAST_CHILD_BYTES = Byte.BYTES + 2 * Short.BYTES;

  /** A statement with its text. */
  record Query(String cql, Parameters parameters) implements CqlRequest {}

  /**
   * A statement by its prepared id.
   *
   * @param id which one
   * @param resultId the result metadata id that the client was told (v5), else empty
   * @param parameters the rest
   */
  record Execute(PreparedId id, ByteBuffer resultId, Parameters parameters) implements CqlRequest {}

  /**
   * A statement to prepare.
   *
   * @param cql its text
   * @param keyspace the keyspace of this one request (v5), or null
   */
  record Prepare(String cql, @Nullable String keyspace) implements CqlRequest {}

  /**
   * Several writes in one.
   *
   * @param type 0 logged, 1 unlogged, 2 counter
   * @param children in order
   * @param consistency the code of its consistency level
   * @param keyspace the keyspace of this one request (v5), or null
   */
  record Batch(int type, List<Child> children, int consistency, @Nullable String keyspace)
      implements CqlRequest {

    public Batch {
      children = List.copyOf(children);
    }
  }

  /**
   * One statement of a batch: by text or by id.
   *
   * @param cql its text, or null
   * @param id its prepared id, or null
   * @param values its bound values, valid as long as the frame
   */
  record Child(@Nullable String cql, @Nullable PreparedId id, Values values) {}

  /**
   * Reads what {@code frame} asks for, without copying its values.
   *
   * @param frame a QUERY, EXECUTE, PREPARE or BATCH; stays the caller's
   * @return null for any other opcode
   * @throws ProtocolError when the body is not what its opcode says
   */
  static @Nullable CqlRequest of(Frame frame) {
    try {
      ByteBuf in = frame.body();
      if (frame.has(Frame.FLAG_PAYLOAD)) {
        Primitives.skipBytesMap(in);
      }
      return switch (frame.opcode()) {
        case Opcode.QUERY ->
            new Query(Primitives.readLongString(in), Parameters.read(in, frame.version()));
        case Opcode.EXECUTE -> execute(in, frame.version());
        case Opcode.PREPARE -> prepare(in, frame.version());
        case Opcode.BATCH -> batch(in, frame.version());
        default -> null;
      };
    } catch (IndexOutOfBoundsException e) {
      throw ProtocolError.of(
          frame.stream(), "Not enough bytes to read the request: its body ends too early");
    } catch (IllegalArgumentException e) {
      throw ProtocolError.of(frame.stream(), "Malformed request: " + e.getMessage());
    }
  }

  /**
   * The text under a key of the custom payload; null when there is none. Of a key that comes twice,
   * the last value counts, as in Cassandra.
   *
   * @param frame one that {@link #of} has understood; stays the caller's
   */
  static @Nullable String payload(Frame frame, String key) {
    return CustomPayload.text(frame, key);
  }

  private static Execute execute(ByteBuf in, int version) {
    PreparedId id = new PreparedId(Primitives.readShortBytes(in));
    byte[] resultId = version >= 5 ? Primitives.readShortBytes(in) : new byte[0];
    return new Execute(id, ByteBuffer.wrap(resultId), Parameters.read(in, version));
  }

  private static Prepare prepare(ByteBuf in, int version) {
    String cql = Primitives.readLongString(in);
    boolean keyspace = version >= 5 && (in.readInt() & 0x01) != 0;
    return new Prepare(cql, keyspace ? Primitives.readString(in) : null);
  }

  private static Batch batch(ByteBuf in, int version) {
    int type = in.readUnsignedByte();
    int count = Primitives.readCount(in, LEAST_CHILD_BYTES);
    List<Child> children = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      children.add(child(in));
    }
    int consistency = in.readUnsignedShort();
    int flags = version >= 5 ? in.readInt() : in.readUnsignedByte();
    in.skipBytes(((flags & 0x10) != 0 ? Short.BYTES : 0) + ((flags & 0x20) != 0 ? Long.BYTES : 0));
    String keyspace = version >= 5 && (flags & 0x80) != 0 ? Primitives.readString(in) : null;
    return new Batch(type, children, consistency, keyspace);
  }

  private static Child child(ByteBuf in) {
    int kind = in.readUnsignedByte();
    if (kind == 0) {
      return new Child(Primitives.readLongString(in), null, Values.read(in, false));
    }
    if (kind == 1) {
      return new Child(null, new PreparedId(Primitives.readShortBytes(in)), Values.read(in, false));
    }
    throw new IllegalArgumentException(
        "Invalid query kind in BATCH messages, must be 0 or 1 but got " + kind);
  }
}
