package io.sluice.wire;

import com.datastax.oss.protocol.internal.Message;
import com.datastax.oss.protocol.internal.request.Query;
import com.datastax.oss.protocol.internal.request.query.QueryOptions;
import com.datastax.oss.protocol.internal.response.Error;
import com.datastax.oss.protocol.internal.response.error.ReadFailure;
import com.datastax.oss.protocol.internal.response.error.ReadTimeout;
import com.datastax.oss.protocol.internal.response.error.Unavailable;
import com.datastax.oss.protocol.internal.response.error.Unprepared;
import com.datastax.oss.protocol.internal.response.result.ColumnSpec;
import com.datastax.oss.protocol.internal.response.result.Prepared;
import com.datastax.oss.protocol.internal.response.result.RawType;
import com.datastax.oss.protocol.internal.response.result.RowsMetadata;
import com.datastax.oss.protocol.internal.response.result.SchemaChange;
import com.datastax.oss.protocol.internal.response.result.SetKeyspace;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Frames for the tests of other rooms, and a check that they are released. */
public final class TestFrames {

  private static final int LARGE_READ = 512 * 1024;

  private TestFrames() {}

  /** Returns a frame of these bytes. */
  public static Frame of(String hex) {
    return WireEnd.frame(WireEnd.bytes(hex));
  }

  /**
   * Returns a frame of these bytes with the right length in its header. Takes ownership of the
   * bytes.
   */
  public static Frame of(ByteBuf envelope) {
    envelope.setInt(envelope.readerIndex() + 5, envelope.readableBytes() - Frame.HEADER_LENGTH);
    return new Frame(envelope);
  }

  /** Returns a frame of the same memory with a separate owner. */
  public static Frame shared(Frame frame) {
    return new Frame(frame.bytes().retainedSlice());
  }

  /** Returns header and body in hexadecimal. */
  public static String hex(Frame frame) {
    return ByteBufUtil.hexDump(ByteBufUtil.getBytes(frame.bytes()));
  }

  /**
   * Returns the same frame at the beginning of a link's read buffer, and releases {@code frame}.
   */
  public static Frame inLargeRead(ByteBufAllocator buffers, Frame frame) {
    ByteBuf read = buffers.directBuffer(LARGE_READ).writeBytes(frame.detach());
    int length = read.readableBytes();
    frame.release();
    try {
      return new Frame(read.writeZero(read.writableBytes()).readRetainedSlice(length));
    } finally {
      read.release();
    }
  }

  /** Whether the frame is released. */
  public static boolean isReleased(Frame frame) {
    return frame.bytes().refCnt() == 0;
  }

  /** Returns the id of these bytes. */
  public static PreparedId id(String text) {
    return new PreparedId(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
  }

  /** Returns the id as in a request. */
  public static byte[] bytes(PreparedId id) {
    return id.bytes();
  }

  /** Returns a RESULT Prepared with this id and these columns of type int. */
  public static Frame prepared(int version, PreparedId id, String... columns) {
    List<ColumnSpec> specs = new java.util.ArrayList<>();
    for (String column : columns) {
      specs.add(new ColumnSpec("ks", "t", column, specs.size(), RawType.PRIMITIVES.get(0x0009)));
    }

    return response(
        version,
        false,
        new Prepared(
            id.bytes(),
            version >= 5 ? id.bytes() : null,
            new RowsMetadata(List.of(), null, new int[0], null),
            new RowsMetadata(specs, null, null, null)));
  }

  /** Returns an ERROR UNPREPARED, alone or after everything that may precede a message. */
  public static Frame unprepared(int version, PreparedId id, boolean loaded) {
    return response(version, loaded, new Unprepared("what?", id.bytes()));
  }

  /** Returns an ERROR with this code and its fields. */
  public static Frame error(int version, int code) {
    Message error =
        switch (code) {
          case ErrorCode.UNAVAILABLE -> new Unavailable("no", 1, 1, 0);
          case ErrorCode.READ_FAILURE -> new ReadFailure("no", 1, 0, 1, 1, Map.of(), false);
          case ErrorCode.READ_TIMEOUT -> new ReadTimeout("no", 1, 0, 1, false);
          default -> new Error(code, "no");
        };
    return response(version, false, error);
  }

  /** Returns a RESULT SetKeyspace. */
  public static Frame used(int version, String keyspace) {
    return response(version, false, new SetKeyspace(keyspace));
  }

  /** Whether a request is the one by which a link finds out to which node it leads. */
  public static boolean asksForHostId(Frame request) {
    return request.opcode() == Opcode.QUERY
        && !request.has(Frame.FLAG_PAYLOAD)
        && Primitives.readLongString(request.body()).equals("SELECT host_id FROM system.local");
  }

  /** Returns the response of a node with this host id; null for none. */
  public static Frame hostId(int version, @Nullable UUID hostId) {
    ByteBuffer cell = null;
    if (hostId != null) {
      cell = ByteBuffer.allocate(2 * Long.BYTES);
      cell.putLong(hostId.getMostSignificantBits());
      cell.putLong(hostId.getLeastSignificantBits()).flip();
    }
    return CqlCodec.rows(
        version,
        new RowSet(
            List.of(new RowSet.Column("system", "local", "host_id", ColumnType.UUID)),
            List.of(Collections.singletonList(cell))));
  }

  /** Returns a RESULT SchemaChange for a created keyspace of that name. */
  public static Frame created(int version, String keyspace) {
    return response(version, false, new SchemaChange("CREATED", "KEYSPACE", keyspace, null, null));
  }

  /** Returns a request that the vendor's codec has written. */
  public static Frame request(int version, int stream, Message message) {
    return WireEnd.frame(WireEnd.request(version, stream, message));
  }

  /** Returns a v4 QUERY for a page that continues at {@code state}; null for the first page. */
  public static Frame page(String cql, int pageSize, @Nullable ByteBuffer state) {
    return request(
        4,
        0,
        new Query(
            cql,
            new QueryOptions(
                1,
                List.of(),
                Map.of(),
                false,
                pageSize,
                state,
                8,
                Long.MIN_VALUE,
                null,
                Integer.MIN_VALUE)));
  }

  /** Sets the tracing flag of a request, and returns it. */
  public static Frame traced(Frame request) {
    request.setFlags(request.flags() | Frame.FLAG_TRACING);
    return request;
  }

  /** Returns the request with the tracing flag and a custom payload of one entry. */
  public static Frame traced(int version, Message message, String key, byte... value) {
    return traced(loaded(version, message, key, value));
  }

  /** Returns the request with a custom payload of one entry. */
  public static Frame loaded(int version, Message message, String key, byte... value) {
    return WireEnd.frame(
        WireEnd.request(version, 0, false, Map.of(key, ByteBuffer.wrap(value)), message));
  }

  /** Returns a request's custom payload with values in hexadecimal. The caller keeps the frame. */
  public static Map<String, String> payload(Frame request) {
    Map<String, String> payload = new HashMap<>();
    WireEnd.readRequest(request)
        .customPayload
        .forEach(
            (key, value) -> payload.put(key, ByteBufUtil.hexDump(Unpooled.wrappedBuffer(value))));
    return payload;
  }

  /** Returns a response's warnings. The caller keeps the frame. */
  public static List<String> warnings(Frame answer) {
    return WireEnd.read(answer).warnings;
  }

  private static Frame response(int version, boolean loaded, Message message) {
    return new Frame(
        Unpooled.wrappedBuffer(
            WireEnd.response(
                com.datastax.oss.protocol.internal.Frame.forResponse(
                    version,
                    0,
                    loaded ? new UUID(1, 2) : null,
                    loaded ? Map.of("k", ByteBuffer.wrap(new byte[3])) : Map.of(),
                    loaded ? List.of("beware") : List.of(),
                    message))));
  }
}
