package io.sluice.wire;

import com.datastax.oss.driver.internal.core.protocol.ByteBufPrimitiveCodec;
import com.datastax.oss.protocol.internal.FrameCodec;
import com.datastax.oss.protocol.internal.Message;
import com.datastax.oss.protocol.internal.ProtocolConstants;
import com.datastax.oss.protocol.internal.request.AuthResponse;
import com.datastax.oss.protocol.internal.request.Options;
import com.datastax.oss.protocol.internal.request.Prepare;
import com.datastax.oss.protocol.internal.request.Query;
import com.datastax.oss.protocol.internal.request.Startup;
import com.datastax.oss.protocol.internal.request.query.QueryOptions;
import com.datastax.oss.protocol.internal.response.Error;
import com.datastax.oss.protocol.internal.response.Ready;
import com.datastax.oss.protocol.internal.response.Supported;
import com.datastax.oss.protocol.internal.response.error.ReadTimeout;
import com.datastax.oss.protocol.internal.response.error.Unavailable;
import com.datastax.oss.protocol.internal.response.error.Unprepared;
import com.datastax.oss.protocol.internal.response.error.WriteTimeout;
import com.datastax.oss.protocol.internal.response.event.GracefulDisconnectEvent;
import com.datastax.oss.protocol.internal.response.event.SchemaChangeEvent;
import com.datastax.oss.protocol.internal.response.event.StatusChangeEvent;
import com.datastax.oss.protocol.internal.response.event.TopologyChangeEvent;
import com.datastax.oss.protocol.internal.response.result.Prepared;
import com.datastax.oss.protocol.internal.response.result.SetKeyspace;
import com.datastax.oss.protocol.internal.response.result.Void;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes the few messages that the proxy itself says, and reads the few it must understand whole.
 * Frames it makes stand on stream 0 and belong to the caller. The vendor's codec writes; it reads
 * nothing from a peer, since it allocates whatever a length announces. Stateless and safe for any
 * thread.
 */
public final class CqlCodec {

  /** No page size, as the vendor has it. */
  private static final int NOT_SET = -1;

  private static final ByteBufPrimitiveCodec PRIMITIVES =
      new ByteBufPrimitiveCodec(PooledByteBufAllocator.DEFAULT);
  private static final FrameCodec<ByteBuf> AS_CLIENT =
      FrameCodec.defaultClient(PRIMITIVES, Compression.NONE.compressor());
  private static final FrameCodec<ByteBuf> AS_SERVER =
      FrameCodec.defaultServer(PRIMITIVES, Compression.NONE.compressor());

  private static final int MAX_MESSAGE_CHARS = 4096;

  private CqlCodec() {}

  private static Frame request(int version, Message message) {
    return new Frame(
        AS_CLIENT.encode(
            com.datastax.oss.protocol.internal.Frame.forRequest(
                version, 0, false, Collections.emptyMap(), message)));
  }

  private static Frame response(int version, int stream, Message message) {
    return new Frame(
        AS_SERVER.encode(
            com.datastax.oss.protocol.internal.Frame.forResponse(
                version, stream, null, Collections.emptyMap(), Collections.emptyList(), message)));
  }

  /** STARTUP with these options. */
  public static Frame startup(int version, Map<String, String> options) {
    return request(version, new Startup(options));
  }

  /** AUTH_RESPONSE that proves {@code identity}. */
  public static Frame authResponse(int version, Identity identity) {
    // The vendor's codec erases what it has written, so it gets a copy.
    return request(version, new AuthResponse(ByteBuffer.wrap(identity.token().clone())));
  }

  /** OPTIONS, which also serves as a heartbeat. */
  public static Frame options(int version) {
    return request(version, Options.INSTANCE);
  }

  /** QUERY without values, at consistency level ONE. */
  public static Frame query(int version, String cql) {
    return request(version, new Query(cql));
  }

  /**
   * QUERY at consistency ONE.
   *
   * @param pageSize rows a page; 0 for no pages
   */
  public static Frame query(int version, String cql, int pageSize) {
    QueryOptions options =
        new QueryOptions(
            ProtocolConstants.ConsistencyLevel.ONE,
            List.of(),
            Map.of(),
            false,
            pageSize > 0 ? pageSize : NOT_SET,
            null,
            ProtocolConstants.ConsistencyLevel.SERIAL,
            Long.MIN_VALUE,
            null,
            Integer.MIN_VALUE);
    return request(version, new Query(cql, options));
  }

  /**
   * PREPARE.
   *
   * @param keyspace the keyspace to prepare in, from v5 on; null for the connection's own
   */
  public static Frame prepare(int version, String cql, @Nullable String keyspace) {
    return request(version, new Prepare(cql, keyspace));
  }

  /** READY. */
  public static Frame ready(int version) {
    return response(version, 0, new Ready());
  }

  /** SUPPORTED with these options. */
  public static Frame supported(int version, Map<String, List<String>> options) {
    return response(version, 0, new Supported(options));
  }

  /** ERROR with a code that has no fields of its own. */
  public static Frame error(int version, int code, String message) {
    return response(version, 0, new Error(code, shortened(message)));
  }

  /** A message may quote what a client sent, but a [string] ends at 65,535 bytes. */
  private static String shortened(String message) {
    return message.length() <= MAX_MESSAGE_CHARS
        ? message
        : message.substring(0, MAX_MESSAGE_CHARS) + "…";
  }

  /** The ERROR that answers {@code broken}, in a version the peer can read. */
  public static Frame error(int version, ProtocolError broken) {
    return error(version, broken.code(), String.valueOf(broken.getMessage()))
        .onStream(broken.stream());
  }

  /** ERROR READ_TIMEOUT. */
  public static Frame readTimeout(
      int version, String message, int consistency, int received, int required) {
    return response(
        version, 0, new ReadTimeout(shortened(message), consistency, received, required, false));
  }

  /** ERROR WRITE_TIMEOUT; {@code writeType} as Cassandra names it, for example SIMPLE or CAS. */
  public static Frame writeTimeout(
      int version, String message, int consistency, int received, int required, String writeType) {
    return response(
        version,
        0,
        new WriteTimeout(shortened(message), consistency, received, required, writeType));
  }

  /** ERROR UNAVAILABLE. */
  public static Frame unavailable(
      int version, String message, int consistency, int required, int alive) {
    return response(version, 0, new Unavailable(shortened(message), consistency, required, alive));
  }

  /** ERROR UNPREPARED, which asks the client to prepare again. */
  public static Frame unprepared(int version, PreparedId id) {
    return response(
        version,
        0,
        new Unprepared(
            "Prepared query with ID "
                + id
                + " not found (either the query was not"
                + " prepared on this host (maybe the host has been restarted?) or you have prepared"
                + " too many queries and it has been evicted from the internal cache)",
            id.bytes()));
  }

  /** EVENT SCHEMA_CHANGE, on stream −1, in the words that {@code version} has for it. */
  public static Frame schemaChange(int version, SchemaChange change) {
    SchemaChange said = change.in(version);
    return response(
        version,
        -1,
        new SchemaChangeEvent(
            said.type(), said.target(), said.keyspace(), said.name(), said.arguments()));
  }

  /** EVENT GRACEFUL_DISCONNECT, on stream −1: this connection is going to end. */
  public static Frame gracefulDisconnect(int version) {
    return response(version, -1, new GracefulDisconnectEvent());
  }

  /** EVENT STATUS_CHANGE of a proxy, on stream −1. */
  public static Frame statusChange(int version, boolean up, InetSocketAddress proxy) {
    return response(version, -1, new StatusChangeEvent(up ? "UP" : "DOWN", proxy));
  }

  /** EVENT: a proxy has come to the others, or has left them for good. */
  public static Frame topologyChange(int version, boolean joined, InetSocketAddress proxy) {
    String change = joined ? "NEW_NODE" : "REMOVED_NODE";
    return response(version, -1, new TopologyChangeEvent(change, proxy));
  }

  /** RESULT of kind Void. */
  public static Frame done(int version) {
    return response(version, 0, Void.INSTANCE);
  }

  /** RESULT of kind SetKeyspace. */
  public static Frame keyspaceSet(int version, String keyspace) {
    return response(version, 0, new SetKeyspace(keyspace));
  }

  /**
   * RESULT of kind Prepared, for a statement that the proxy answers itself.
   *
   * @param variables the columns that values are bound to
   * @param result the columns of its rows; empty when it has none
   */
  public static Frame prepared(
      int version, PreparedId id, List<RowSet.Column> variables, List<RowSet.Column> result) {
    return response(
        version,
        0,
        new Prepared(
            id.bytes(),
            PreparedId.of(result.toString()).bytes(),
            RowSet.metadata(variables, null),
            RowSet.metadata(result, null)));
  }

  /**
   * A copy of a request that says all the same in other words.
   *
   * @param query a QUERY that {@link CqlRequest#of} has understood; stays the caller's
   * @param cql its new text
   */
  public static Frame withText(Frame query, String cql) {
    ByteBuf body = query.body();
    if (query.has(Frame.FLAG_PAYLOAD)) {
      Primitives.skipBytesMap(body);
    }
    int payload = body.readerIndex();
    Primitives.skipBytes(body);
    byte[] text = cql.getBytes(StandardCharsets.UTF_8);
    ByteBuf out =
        PooledByteBufAllocator.DEFAULT.ioBuffer(
            Frame.HEADER_LENGTH + payload + Integer.BYTES + text.length + body.readableBytes());
    out.writeZero(Frame.HEADER_LENGTH).writeBytes(body, 0, payload);
    out.writeInt(text.length).writeBytes(text).writeBytes(body);
    Frame made = Frame.request(out, query.version(), query.stream(), query.opcode());
    made.setFlags(query.flags());
    return made;
  }

  /** RESULT of kind Rows, unpaged. */
  public static Frame rows(int version, RowSet rows) {
    return rows(version, rows, null);
  }

  /** RESULT of kind Rows; {@code pagingState} is null for the last page. */
  public static Frame rows(int version, RowSet rows, @Nullable ByteBuffer pagingState) {
    return response(version, 0, rows.toVendor(pagingState));
  }

  /**
   * The same behind the trace id, warnings and custom payload of a node's answer, which stays its
   * owner's.
   */
  public static Frame rows(RowSet rows, @Nullable ByteBuffer pagingState, Frame node) {
    Frame message = rows(node.version(), rows, pagingState);
    int before = Answers.messageAt(node);
    ByteBuf all =
        PooledByteBufAllocator.DEFAULT
            .buffer(message.length() + before)
            .writeZero(Frame.HEADER_LENGTH);
    all.writeBytes(node.body(), before).writeBytes(message.body());
    message.release();
    Frame made = Frame.response(all, node.version(), 0, Opcode.RESULT);
    made.setFlags(node.flags() & (Frame.FLAG_TRACING | Frame.FLAG_WARNING | Frame.FLAG_PAYLOAD));
    return made;
  }

  /**
   * The rows of a RESULT that carries its metadata. The frame stays the caller's.
   *
   * @throws ProtocolError when it is anything else
   */
  public static RowSet readRows(Frame frame) {
    return RowsAnswer.of(frame).toRowSet();
  }

  /** The options of a STARTUP, as they came. The frame stays the caller's. */
  public static Map<String, String> readStartup(Frame frame) {
    return read(frame, Primitives::readStringMap);
  }

  /** The event types of a REGISTER. The frame stays the caller's. */
  public static List<String> readRegister(Frame frame) {
    return read(frame, Primitives::readStringList);
  }

  /** The token of an AUTH_RESPONSE, or null. The frame stays the caller's. */
  public static @Nullable ByteBuffer readAuthResponse(Frame frame) {
    return read(frame, CqlCodec::readToken).map(ByteBuffer::wrap).orElse(null);
  }

  private static Optional<byte[]> readToken(ByteBuf in) {
    return Optional.ofNullable(Primitives.readBytes(in));
  }

  private static <T> T read(Frame request, Function<ByteBuf, T> message) {
    try {
      ByteBuf in = request.body();
      if (request.has(Frame.FLAG_PAYLOAD)) {
        Primitives.skipBytesMap(in);
      }
      return message.apply(in);
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      throw ProtocolError.of(request.stream(), "Malformed message: " + e.getMessage());
    }
  }
}
