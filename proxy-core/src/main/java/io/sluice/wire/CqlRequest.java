package io.sluice.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The parts of a CQL request that the proxy reads. Everything else stays in the frame. */
public sealed interface CqlRequest {

  /**
   * The least bytes of a batch's child: its kind, the length of a prepared id, and the number of
   * values.
   */
  int MIN_CHILD_BYTES = Byte.BYTES + 2 * Short.BYTES;

  /** The result metadata id of all requests before v5. */
  ByteBuffer NO_RESULT_ID = ByteBuffer.allocate(0);

  /** A QUERY: a statement by its text. */
  record Query(String cql, Parameters parameters) implements CqlRequest {}

  /**
   * An EXECUTE: a statement by its prepared id.
   *
   * @param id the prepared id
   * @param resultId the result metadata id that the client was told (v5), else empty
   * @param parameters the parameters besides the statement
   */
  record Execute(PreparedId id, ByteBuffer resultId, Parameters parameters) implements CqlRequest {}

  /**
   * A PREPARE.
   *
   * @param cql the statement's text
   * @param keyspace the keyspace of this request only (v5), or null
   */
  record Prepare(String cql, @Nullable String keyspace) implements CqlRequest {}

  /**
   * A BATCH.
   *
   * @param type 0 logged, 1 unlogged, 2 counter
   * @param children the statements, in order
   * @param consistency the code of its consistency level
   * @param keyspace the keyspace of this request only, or null
   */
  record Batch(int type, List<Child> children, int consistency, @Nullable String keyspace)
      implements CqlRequest {

    public Batch {
      children = List.copyOf(children);
    }
  }

  /**
   * A statement of a batch, by text or by prepared id.
   *
   * @param cql the text, or null
   * @param id the prepared id, or null
   * @param values the bound values, valid as long as the frame
   */
  record Child(@Nullable String cql, @Nullable PreparedId id, Values values) {}

  /**
   * Reads a request without copying its values.
   *
   * @param frame a QUERY, EXECUTE, PREPARE or BATCH; the caller keeps it
   * @return null for any other opcode
   * @throws ProtocolError when the body does not match its opcode
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
   * Returns the text for a key of the custom payload; null when there is none. If a key appears
   * twice, the last value counts, as in Cassandra.
   *
   * @param frame a request that {@link #of} can read; the caller keeps it
   */
  static @Nullable String payload(Frame frame, String key) {
    return CustomPayload.text(frame, key);
  }

  private static Execute execute(ByteBuf in, int version) {
    PreparedId id = new PreparedId(Primitives.readShortBytes(in));
    ByteBuffer resultId =
        version >= ProtocolVersion.RESULT_METADATA_ID
            ? ByteBuffer.wrap(Primitives.readShortBytes(in))
            : NO_RESULT_ID;
    return new Execute(id, resultId, Parameters.read(in, version));
  }

  private static Prepare prepare(ByteBuf in, int version) {
    String cql = Primitives.readLongString(in);
    boolean keyspace = version >= ProtocolVersion.PREPARE_KEYSPACE && (in.readInt() & 0x01) != 0;
    return new Prepare(cql, keyspace ? Primitives.readString(in) : null);
  }

  private static Batch batch(ByteBuf in, int version) {
    int type = in.readUnsignedByte();
    int count = Primitives.readCount(in, MIN_CHILD_BYTES);
    List<Child> children = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      children.add(child(in));
    }
    // Cassandra reads the same parameters here as after a QUERY, with values and paging.
    Parameters parameters = Parameters.read(in, version);
    return new Batch(type, children, parameters.consistency(), parameters.keyspace());
  }

  /** Reads the flags of a request. */
  static int readFlags(ByteBuf in, int version) {
    return version >= ProtocolVersion.INT_FLAGS ? in.readInt() : in.readUnsignedByte();
  }

  /** Writes the flags of a request. */
  static void writeFlags(ByteBuf out, int version, int flags) {
    if (version >= ProtocolVersion.INT_FLAGS) {
      out.writeInt(flags);
    } else {
      out.writeByte(flags);
    }
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

  /**
   * The parameters of a QUERY or EXECUTE besides its statement.
   *
   * @param consistency the code of the consistency level
   * @param values the bound values, valid as long as the frame
   * @param pageSize the page size in rows, or −1 for no paging
   * @param pagingState a copy of the paging state to continue from, or null
   * @param serialConsistency the code of the serial consistency level, or −1
   * @param keyspace the keyspace of this request only, or null; belongs to v5, but Cassandra reads
   *     it in every version
   * @param skipsMetadata whether the client knows the result's columns and asks to omit them
   */
  record Parameters(
      int consistency,
      Values values,
      int pageSize,
      @Nullable ByteBuffer pagingState,
      int serialConsistency,
      @Nullable String keyspace,
      boolean skipsMetadata) {

    static final int VALUES = 0x01;
    static final int SKIP_METADATA = 0x02;
    static final int PAGE_SIZE = 0x04;
    static final int PAGING_STATE = 0x08;
    static final int SERIAL_CONSISTENCY = 0x10;
    static final int TIMESTAMP = 0x20;
    static final int NAMED_VALUES = 0x40;
    static final int KEYSPACE = 0x80;
    private static final int NOW_IN_SECONDS = 0x100;

    /**
     * Reads what follows the paging state, without the keyspace. Cassandra ignores the keyspace of
     * an EXECUTE, but not that of a QUERY.
     *
     * @param flags the flags of a request that names a keyspace
     */
    static ByteBuf withoutKeyspace(ByteBuf in, int flags) {
      int before =
          ((flags & SERIAL_CONSISTENCY) != 0 ? Short.BYTES : 0)
              + ((flags & TIMESTAMP) != 0 ? Long.BYTES : 0);
      ByteBuf rest = Unpooled.buffer(in.readableBytes()).writeBytes(in, before);
      Primitives.skipString(in);
      return rest.writeBytes(in);
    }

    static Parameters read(ByteBuf in, int version) {
      int consistency = in.readUnsignedShort();
      int flags = readFlags(in, version);
      Values values =
          (flags & VALUES) != 0 ? Values.read(in, (flags & NAMED_VALUES) != 0) : Values.NONE;
      int pageSize = (flags & PAGE_SIZE) != 0 ? in.readInt() : -1;
      ByteBuffer state = (flags & PAGING_STATE) != 0 ? Values.readCopy(in) : null;
      int serial = (flags & SERIAL_CONSISTENCY) != 0 ? in.readUnsignedShort() : -1;
      if ((flags & TIMESTAMP) != 0) {
        in.skipBytes(Long.BYTES);
      }
      String keyspace = (flags & KEYSPACE) != 0 ? Primitives.readString(in) : null;
      if ((flags & NOW_IN_SECONDS) != 0) {
        in.skipBytes(Integer.BYTES);
      }
      return new Parameters(
          consistency,
          values,
          pageSize > 0 ? pageSize : -1,
          state,
          serial,
          keyspace,
          (flags & SKIP_METADATA) != 0);
    }
  }
}
