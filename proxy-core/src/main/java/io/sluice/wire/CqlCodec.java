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
 * Creates the messages that the proxy itself sends, and reads the few that it must decode
 * completely. New frames have stream id 0 and belong to the caller. The vendor's codec is used for
 * writing only. It must not read from a peer, as it allocates whatever a length announces.
 * Stateless and safe for any thread.
 */
public final class CqlCodec {

  /** The vendor's value for no page size. */
  private static final int NOT_SET = -1;

  private static final ByteBufPrimitiveCodec PRIMITIVES = new ByteBufPrimitiveCodec(Buffers.POOL);
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

  /** Creates a STARTUP with these options. */
  public static Frame startup(int version, Map<String, String> options) {
    return request(version, new Startup(options));
  }

  /** Creates the AUTH_RESPONSE that proves {@code identity}. */
  public static Frame authResponse(int version, Identity identity) {
    // The vendor's codec erases what it has written, so it gets a copy.
    return request(version, new AuthResponse(ByteBuffer.wrap(identity.token().clone())));
  }

  /** Creates an OPTIONS, which also serves as a heartbeat. */
  public static Frame options(int version) {
    return request(version, Options.INSTANCE);
  }

  /** Creates a QUERY without values, at consistency level ONE. */
  public static Frame query(int version, String cql) {
    return request(version, new Query(cql));
  }

  /**
   * Creates a QUERY at consistency level ONE.
   *
   * @param pageSize the page size in rows; 0 for no paging
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
   * Creates a PREPARE.
   *
   * @param keyspace the keyspace to prepare in; null for the connection's own. Before v5 it is left
   *     out, so that the connection's own is used
   */
  public static Frame prepare(int version, String cql, @Nullable String keyspace) {
    return request(version, new Prepare(cql, keyspace));
  }

  /** Creates a READY. */
  public static Frame ready(int version) {
    return response(version, 0, new Ready());
  }

  /** Creates a SUPPORTED with these options. */
  public static Frame supported(int version, Map<String, List<String>> options) {
    return response(version, 0, new Supported(options));
  }

  /** Creates an ERROR with a code that has no fields of its own. */
  public static Frame error(int version, int code, String message) {
    return response(version, 0, new Error(code, shortened(message)));
  }

  /** Limits a message, which may quote a client's text, to the 65,535 bytes of a [string]. */
  private static String shortened(String message) {
    return message.length() <= MAX_MESSAGE_CHARS
        ? message
        : message.substring(0, MAX_MESSAGE_CHARS) + "…";
  }

  /** Creates the ERROR for {@code broken}, in a version that the peer can read. */
  public static Frame error(int version, ProtocolError broken) {
    return error(version, broken.code(), String.valueOf(broken.getMessage()))
        .onStream(broken.stream());
  }

  /** Creates an ERROR READ_TIMEOUT. */
  public static Frame readTimeout(
      int version, String message, int consistency, int received, int required) {
    return response(
        version, 0, new ReadTimeout(shortened(message), consistency, received, required, false));
  }

  /**
   * Creates an ERROR WRITE_TIMEOUT. {@code writeType} is Cassandra's name, for example SIMPLE or
   * CAS.
   */
  public static Frame writeTimeout(
      int version, String message, int consistency, int received, int required, String writeType) {
    return response(
        version,
        0,
        new WriteTimeout(shortened(message), consistency, received, required, writeType));
  }

  /** Creates an ERROR UNAVAILABLE. */
  public static Frame unavailable(
      int version, String message, int consistency, int required, int alive) {
    return response(version, 0, new Unavailable(shortened(message), consistency, required, alive));
  }

  /** Creates an ERROR UNPREPARED, which asks the client to prepare again. */
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

  /** Creates an EVENT SCHEMA_CHANGE on stream −1, in the form of {@code version}. */
  public static Frame schemaChange(int version, SchemaChange change) {
    SchemaChange said = change.in(version);
    return response(
        version,
        -1,
        new SchemaChangeEvent(
            said.type(), said.target(), said.keyspace(), said.name(), said.arguments()));
  }

  /**
   * Creates an EVENT GRACEFUL_DISCONNECT on stream −1, which announces the end of the connection.
   */
  public static Frame gracefulDisconnect(int version) {
    return response(version, -1, new GracefulDisconnectEvent());
  }

  /** Creates an EVENT STATUS_CHANGE of a proxy, on stream −1. */
  public static Frame statusChange(int version, boolean up, InetSocketAddress proxy) {
    return response(version, -1, new StatusChangeEvent(up ? "UP" : "DOWN", proxy));
  }

  /**
   * Creates an EVENT TOPOLOGY_CHANGE on stream −1, for a proxy that has joined or left for good.
   */
  public static Frame topologyChange(int version, boolean joined, InetSocketAddress proxy) {
    String change = joined ? "NEW_NODE" : "REMOVED_NODE";
    return response(version, -1, new TopologyChangeEvent(change, proxy));
  }

  /** Creates a RESULT of kind Void. */
  public static Frame done(int version) {
    return response(version, 0, Void.INSTANCE);
  }

  /** Creates a RESULT of kind SetKeyspace. */
  public static Frame keyspaceSet(int version, String keyspace) {
    return response(version, 0, new SetKeyspace(keyspace));
  }

  /**
   * Creates a RESULT of kind Prepared, for a statement that the proxy answers itself.
   *
   * @param variables the columns of the bound values
   * @param result the columns of the result; empty when it has no rows
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
   * Returns a copy of a request with another text and otherwise the same content.
   *
   * @param query a QUERY that {@link CqlRequest#of} can read; the caller keeps it
   * @param cql the new text
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
        Buffers.POOL.ioBuffer(
            Frame.HEADER_LENGTH + payload + Integer.BYTES + text.length + body.readableBytes());
    out.writeZero(Frame.HEADER_LENGTH).writeBytes(body, 0, payload);
    out.writeInt(text.length).writeBytes(text).writeBytes(body);
    Frame made = Frame.request(out, query.version(), query.stream(), query.opcode());
    made.setFlags(query.flags());
    return made;
  }

  /** Creates a RESULT of kind Rows without paging. */
  public static Frame rows(int version, RowSet rows) {
    return rows(version, rows, null);
  }

  /** Creates a RESULT of kind Rows; {@code pagingState} is null for the last page. */
  public static Frame rows(int version, RowSet rows, @Nullable ByteBuffer pagingState) {
    return response(version, 0, rows.toVendor(pagingState));
  }

  /**
   * Creates a RESULT of kind Rows with the tracing id, warnings and custom payload of a node's
   * response. The caller keeps that response.
   */
  public static Frame rows(RowSet rows, @Nullable ByteBuffer pagingState, Frame node) {
    Frame message = rows(node.version(), rows, pagingState);
    int before = Answers.messageAt(node);
    ByteBuf all = Buffers.POOL.buffer(message.length() + before).writeZero(Frame.HEADER_LENGTH);
    all.writeBytes(node.body(), before).writeBytes(message.body());
    message.release();
    Frame made = Frame.response(all, node.version(), 0, Opcode.RESULT);
    made.setFlags(node.flags() & (Frame.FLAG_TRACING | Frame.FLAG_WARNING | Frame.FLAG_PAYLOAD));
    return made;
  }

  /**
   * Returns the rows of a RESULT that carries its metadata. The caller keeps the frame.
   *
   * @throws ProtocolError when the frame is anything else
   */
  public static RowSet readRows(Frame frame) {
    return RowsAnswer.of(frame).toRowSet();
  }

  /** Returns the options of a STARTUP, unchanged. The caller keeps the frame. */
  public static Map<String, String> readStartup(Frame frame) {
    return read(frame, Primitives::readStringMap);
  }

  /** Returns the event types of a REGISTER. The caller keeps the frame. */
  public static List<String> readRegister(Frame frame) {
    return read(frame, Primitives::readStringList);
  }

  /** Returns the token of an AUTH_RESPONSE, or null. The caller keeps the frame. */
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
