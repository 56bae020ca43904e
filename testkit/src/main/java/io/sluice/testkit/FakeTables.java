package io.sluice.testkit;

import com.datastax.oss.protocol.internal.Message;
import com.datastax.oss.protocol.internal.ProtocolConstants;
import com.datastax.oss.protocol.internal.response.Error;
import com.datastax.oss.protocol.internal.response.result.ColumnSpec;
import com.datastax.oss.protocol.internal.response.result.DefaultRows;
import com.datastax.oss.protocol.internal.response.result.RawType;
import com.datastax.oss.protocol.internal.response.result.RowsMetadata;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The tables of a {@link FakeCassandra} that the Java driver reads: its own row, its peers, the
 * schema and its settings. Safe for any thread.
 */
final class FakeTables {

  private final UUID hostId;
  private final String datacenter;
  private final int port;
  private final Map<String, String> settings = new ConcurrentHashMap<>();
  private final List<String> keyspaces = new CopyOnWriteArrayList<>();
  private final Map<UUID, String> tables = new ConcurrentHashMap<>();
  private final List<FakeTables> peers = new CopyOnWriteArrayList<>();
  private volatile String clusterName = "Fake";
  private volatile String token = "0";

  FakeTables(UUID hostId, String datacenter, int port) {
    this.hostId = hostId;
    this.datacenter = datacenter;
    this.port = port;
  }

  void add(String keyspace) {
    keyspaces.add(keyspace);
  }

  void addTable(String keyspace, UUID id) {
    tables.put(id, keyspace);
  }

  void addPeer(FakeTables peer) {
    peers.add(peer);
  }

  void rename(String cluster) {
    clusterName = cluster;
  }

  void move(String newToken) {
    token = newToken;
  }

  void configure(String name, String value) {
    settings.put(name, value);
  }

  /** Returns the response to a query. */
  Message rows(String cql) {
    if (cql.contains("FROM system.local")) {
      return rows(List.of(selected(cql, local())));
    } else if (cql.contains("FROM system_views.settings") && !settings.isEmpty()) {
      return rows(settings.entrySet().stream().map(FakeTables::setting).toList());
    } else if (cql.contains("FROM system_schema.keyspaces")) {
      return rows(keyspaces.stream().map(FakeTables::keyspace).toList());
    } else if (cql.contains("FROM system_schema.tables")) {
      return rows(
          tables.entrySet().stream().map(each -> table(each.getValue(), each.getKey())).toList());
    } else if (cql.contains("FROM system_schema.columns")) {
      return rows(tables.values().stream().map(FakeTables::keyColumn).toList());
    } else if (cql.contains("FROM system.peers_v2") && !peers.isEmpty()) {
      return rows(peers.stream().map(FakeTables::peer).toList());
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
    row.put("peer_port", integer(port));
    row.put("native_address", loopback());
    row.put("native_port", integer(port));
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
}
