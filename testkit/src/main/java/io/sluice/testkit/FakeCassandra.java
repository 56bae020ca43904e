package io.sluice.testkit;

import com.datastax.oss.driver.internal.core.protocol.ByteBufPrimitiveCodec;
import com.datastax.oss.protocol.internal.Compressor;
import com.datastax.oss.protocol.internal.Frame;
import com.datastax.oss.protocol.internal.FrameCodec;
import com.datastax.oss.protocol.internal.Message;
import com.datastax.oss.protocol.internal.ProtocolConstants;
import com.datastax.oss.protocol.internal.request.Options;
import com.datastax.oss.protocol.internal.request.Query;
import com.datastax.oss.protocol.internal.request.Register;
import com.datastax.oss.protocol.internal.response.Error;
import com.datastax.oss.protocol.internal.response.Ready;
import com.datastax.oss.protocol.internal.response.Supported;
import com.datastax.oss.protocol.internal.response.result.ColumnSpec;
import com.datastax.oss.protocol.internal.response.result.DefaultRows;
import com.datastax.oss.protocol.internal.response.result.RawType;
import com.datastax.oss.protocol.internal.response.result.RowsMetadata;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * A fake node on loopback, which the Java driver takes for a cluster of one Cassandra node with
 * protocol v4. It has its own row in {@code system.local}, keyspaces, tables of one column, and
 * schema events that the test sends. It accepts every client. Safe for any thread.
 */
public final class FakeCassandra implements AutoCloseable {

  private static final int VERSION = 4;
  private static final int HEADER = 9;

  private final ServerSocket server;
  private final Thread acceptor;
  private final UUID hostId;
  private final String datacenter;
  private final FrameCodec<ByteBuf> codec =
      FrameCodec.defaultServer(
          new ByteBufPrimitiveCodec(UnpooledByteBufAllocator.DEFAULT), Compressor.none());
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final Set<Socket> registered = ConcurrentHashMap.newKeySet();
  private final Map<String, String> settings = new ConcurrentHashMap<>();
  private final List<String> keyspaces = new CopyOnWriteArrayList<>();
  private final Map<UUID, String> tables = new ConcurrentHashMap<>();
  private final List<FakeCassandra> peers = new CopyOnWriteArrayList<>();
  private volatile String clusterName = "Fake";
  private volatile String token = "0";
  private volatile Requests requests = request -> null;

  /** Serves requests that the node itself does not know, such as those to tables of a test. */
  public interface Requests {
    /** Returns the response; null if the node itself has one. */
    @Nullable Message answer(Message request);
  }

  /**
   * Creates a node that serves at once, until it is closed.
   *
   * @param port its CQL port; 0 for any free port
   * @throws IOException if the port is taken
   */
  public FakeCassandra(UUID hostId, String datacenter, int port) throws IOException {
    this(hostId, datacenter, port, new ServerSocket());
  }

  /**
   * Creates a node with a socket that is not bound yet, such as a TLS socket.
   *
   * @throws IOException if the port is taken
   */
  public FakeCassandra(UUID hostId, String datacenter, int port, ServerSocket server)
      throws IOException {
    this.hostId = hostId;
    this.datacenter = datacenter;
    this.server = server;
    server.setReuseAddress(true);
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    this.acceptor = start(this::accept);
  }

  /** Returns the address at which it listens. */
  public InetSocketAddress address() {
    return (InetSocketAddress) server.getLocalSocketAddress();
  }

  /** Adds a keyspace, without an event. */
  public void add(String keyspace) {
    keyspaces.add(keyspace);
  }

  /** Adds a table named t to a keyspace, without an event. */
  public void addTable(String keyspace, UUID id) {
    tables.put(id, keyspace);
  }

  /** Adds a node to {@code system.peers_v2}, which exists from the first one on. */
  public void addPeer(FakeCassandra peer) {
    peers.add(peer);
  }

  /** Changes the name of the cluster, as this node has it. */
  public void rename(String cluster) {
    clusterName = cluster;
  }

  /** Gives the node another token, without an event. */
  public void move(String newToken) {
    token = newToken;
  }

  /** Adds an entry to {@code system_views.settings}, which exists from the first entry on. */
  public void configure(String name, String value) {
    settings.put(name, value);
  }

  /** Serves further requests, before those that the node itself knows. */
  public void serve(Requests further) {
    requests = further;
  }

  /**
   * Sends a message to all registered connections, without a request for it; a driver registers
   * one.
   *
   * @param stream the stream id, −1 for an event
   */
  public void send(int stream, Message message) {
    for (Socket each : registered) {
      try {
        send(each, stream, message);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static Thread start(Runnable task) {
    Thread thread = new Thread(task, "fake-cassandra");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = server.accept();
        sockets.add(socket);
        start(() -> serve(socket));
      }
    } catch (IOException closed) {
      // The test has ended, or the node was closed.
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      while (true) {
        byte[] header = in.readNBytes(HEADER);
        if (header.length < HEADER) {
          return;
        }
        ByteBuf fields = Unpooled.wrappedBuffer(header);
        byte[] body = in.readNBytes(fields.getInt(5));
        if (header[0] > VERSION) {
          send(socket, fields.getShort(2), unsupported(header[0]));
        } else {
          Frame request = codec.decode(Unpooled.wrappedBuffer(header, body));
          if (request.message instanceof Register) {
            registered.add(socket);
          }
          send(socket, request.streamId, answer(request.message));
        }
      }
    } catch (IOException closed) {
      // As above.
    } finally {
      registered.remove(socket);
    }
  }

  private static Error unsupported(int version) {
    return new Error(
        ProtocolConstants.ErrorCode.PROTOCOL_ERROR,
        "Invalid or unsupported protocol version (" + version + ")");
  }

  private void send(Socket socket, int stream, Message message) throws IOException {
    ByteBuf frame =
        codec.encode(
            Frame.forResponse(VERSION, stream, null, Frame.NO_PAYLOAD, List.of(), message));
    try {
      synchronized (socket) {
        socket.getOutputStream().write(ByteBufUtil.getBytes(frame));
      }
    } finally {
      frame.release();
    }
  }

  private Message answer(Message request) {
    Message further = requests.answer(request);
    if (further != null) {
      return further;
    } else if (request instanceof Options) {
      return new Supported(Map.of("CQL_VERSION", List.of("3.4.7")));
    } else if (request instanceof Query query) {
      return rows(query.query);
    }
    return new Ready();
  }

  private Message rows(String cql) {
    if (cql.contains("FROM system.local")) {
      return rows(List.of(selected(cql, local())));
    } else if (cql.contains("FROM system_views.settings") && !settings.isEmpty()) {
      return rows(settings.entrySet().stream().map(FakeCassandra::setting).toList());
    } else if (cql.contains("FROM system_schema.keyspaces")) {
      return rows(keyspaces.stream().map(FakeCassandra::keyspace).toList());
    } else if (cql.contains("FROM system_schema.tables")) {
      return rows(
          tables.entrySet().stream().map(each -> table(each.getValue(), each.getKey())).toList());
    } else if (cql.contains("FROM system_schema.columns")) {
      return rows(tables.values().stream().map(FakeCassandra::keyColumn).toList());
    } else if (cql.contains("FROM system.peers_v2") && !peers.isEmpty()) {
      return rows(peers.stream().map(FakeCassandra::peer).toList());
    } else if (cql.contains("FROM system.peers ")
        || cql.endsWith("FROM system.peers")
        || cql.contains("FROM system_virtual_schema.")
        || (cql.contains("FROM system_schema.") && !cql.contains("column_masks"))) {
      return rows(List.of());
    }
    return new Error(ProtocolConstants.ErrorCode.INVALID, "unconfigured table: " + cql);
  }

  /** Returns the columns that a SELECT names, in its order; all for {@code *}. */
  private static Map<String, Value> selected(String cql, Map<String, Value> row) {
    String names = cql.substring("SELECT ".length(), cql.indexOf(" FROM ")).strip();
    if (names.equals("*")) {
      return row;
    }
    Map<String, Value> selected = new LinkedHashMap<>();
    for (String name : names.split(", *", -1)) {
      selected.put(name, Objects.requireNonNull(row.get(name), name));
    }
    return selected;
  }

  private record Value(RawType type, ByteBuffer bytes) {}

  private Map<String, Value> local() {
    Map<String, Value> row = new LinkedHashMap<>();
    row.put("key", text("local"));
    row.put("cluster_name", text(clusterName));
    row.put("cql_version", text("3.4.7"));
    row.put("partitioner", text("org.apache.cassandra.dht.Murmur3Partitioner"));
    row.put("broadcast_address", loopback());
    row.put("rpc_address", loopback());
    row.put("listen_address", loopback());
    row.putAll(identity());
    return row;
  }

  private Map<String, Value> peer() {
    Map<String, Value> row = new LinkedHashMap<>();
    row.put("peer", loopback());
    row.put("peer_port", integer(address().getPort()));
    row.put("native_address", loopback());
    row.put("native_port", integer(address().getPort()));
    row.putAll(identity());
    return row;
  }

  private Map<String, Value> identity() {
    Map<String, Value> row = new LinkedHashMap<>();
    row.put("data_center", text(datacenter));
    row.put("rack", text("rack1"));
    row.put("release_version", text("5.0.9"));
    row.put("host_id", uuid(hostId));
    row.put("schema_version", uuid(new UUID(7, 7)));
    row.put("tokens", setOf(token));
    return row;
  }

  private static Value loopback() {
    return new Value(
        primitive(ProtocolConstants.DataType.INET),
        ByteBuffer.wrap(InetAddress.getLoopbackAddress().getAddress()));
  }

  private static Value integer(int number) {
    return new Value(
        primitive(ProtocolConstants.DataType.INT),
        ByteBuffer.allocate(Integer.BYTES).putInt(0, number));
  }

  private static Map<String, Value> setting(Map.Entry<String, String> setting) {
    Map<String, Value> row = new LinkedHashMap<>();
    row.put("name", text(setting.getKey()));
    row.put("value", text(setting.getValue()));
    return row;
  }

  private static Value setOf(String element) {
    ByteBuf set = Unpooled.buffer().writeInt(1).writeInt(element.length());
    set.writeCharSequence(element, StandardCharsets.US_ASCII);
    return new Value(
        new RawType.RawSet(primitive(ProtocolConstants.DataType.VARCHAR)), set.nioBuffer());
  }

  private static Map<String, Value> keyspace(String name) {
    Map<String, Value> row = new LinkedHashMap<>();
    row.put("keyspace_name", text(name));
    row.put(
        "durable_writes",
        new Value(primitive(ProtocolConstants.DataType.BOOLEAN), ByteBuffer.wrap(new byte[] {1})));
    ByteBuf map = Unpooled.buffer().writeInt(2);
    for (String each :
        List.of(
            "class", "org.apache.cassandra.locator.SimpleStrategy", "replication_factor", "1")) {
      map.writeInt(each.length()).writeCharSequence(each, StandardCharsets.UTF_8);
    }
    RawType varchar = primitive(ProtocolConstants.DataType.VARCHAR);
    row.put("replication", new Value(new RawType.RawMap(varchar, varchar), map.nioBuffer()));
    return row;
  }

  private static Map<String, Value> table(String keyspace, UUID id) {
    Map<String, Value> row = new LinkedHashMap<>();
    row.put("keyspace_name", text(keyspace));
    row.put("table_name", text("t"));
    row.put("id", uuid(id));
    row.put("flags", setOf("compound"));
    return row;
  }

  private static Map<String, Value> keyColumn(String keyspace) {
    Map<String, Value> row = new LinkedHashMap<>();
    row.put("keyspace_name", text(keyspace));
    row.put("table_name", text("t"));
    row.put("column_name", text("k"));
    row.put("clustering_order", text("none"));
    row.put("kind", text("partition_key"));
    row.put("position", integer(0));
    row.put("type", text("int"));
    return row;
  }

  private static RawType primitive(int code) {
    return Objects.requireNonNull(RawType.PRIMITIVES.get(code));
  }

  private static Value text(String text) {
    return new Value(
        primitive(ProtocolConstants.DataType.VARCHAR), StandardCharsets.UTF_8.encode(text));
  }

  private static Value uuid(UUID id) {
    ByteBuffer bytes = ByteBuffer.allocate(16);
    bytes.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits()).flip();
    return new Value(primitive(ProtocolConstants.DataType.UUID), bytes);
  }

  private static Message rows(List<Map<String, Value>> rows) {
    List<ColumnSpec> columns = new ArrayList<>();
    if (!rows.isEmpty()) {
      rows.get(0)
          .forEach(
              (name, value) ->
                  columns.add(new ColumnSpec("ks", "t", name, columns.size(), value.type())));
    }
    Queue<List<ByteBuffer>> data = new ArrayDeque<>();
    for (Map<String, Value> row : rows) {
      List<ByteBuffer> values = new ArrayList<>();
      row.values().forEach(value -> values.add(value.bytes().duplicate()));
      data.add(values);
    }
    @Nullable ByteBuffer noPaging = null;
    return new DefaultRows(new RowsMetadata(columns, noPaging, new int[0], null), data);
  }

  @Override
  public void close() throws IOException {
    server.close();
    try {
      // The port is free when no thread accepts at it any more.
      acceptor.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    for (Socket each : sockets) {
      each.close();
    }
  }
}
