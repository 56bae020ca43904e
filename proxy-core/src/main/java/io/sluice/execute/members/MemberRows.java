package io.sluice.execute.members;

import io.sluice.execute.members.Members.ProxyMembers;
import io.sluice.wire.RowSet;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The rows of {@code system.local}, {@code system.peers} and {@code system.peers_v2} with proxies
 * in the place of nodes. Columns that do not identify a member keep the node's values.
 */
final class MemberRows {

  /** The columns that hold the address or the identity of a member. */
  static final Set<String> IDENTIFYING =
      Set.of(
          "broadcast_address",
          "broadcast_port",
          "listen_address",
          "listen_port",
          "rpc_address",
          "rpc_port",
          "native_address",
          "native_port",
          "preferred_ip",
          "preferred_port",
          "peer",
          "peer_port",
          "host_id",
          "tokens");

  private static final String SCHEMA_VERSION = "schema_version";

  /** The columns that other proxies take from the node that answered. */
  private static final List<String> SHARED = List.of("data_center", "rack", "release_version");

  private final ProxyMembers members;

  MemberRows(ProxyMembers members) {
    this.members = members;
  }

  /** Returns the one row of {@code system.local}. */
  RowSet local(RowSet real) {
    Map<String, @Nullable ByteBuffer> own = place(members.self());
    List<List<@Nullable ByteBuffer>> rows = new ArrayList<>();
    for (List<@Nullable ByteBuffer> row : real.rows()) {
      List<@Nullable ByteBuffer> changed = new ArrayList<>(row);
      for (int i = 0; i < changed.size(); i++) {
        String name = real.columns().get(i).name();
        if (IDENTIFYING.contains(name)) {
          changed.set(i, own.get(name));
        }
      }
      rows.add(changed);
    }
    return new RowSet(real.columns(), rows);
  }

  /** Returns one row for each other proxy, with the columns of the real table. */
  RowSet peers(RowSet realPeers, RowSet realLocal) {
    ByteBuffer schema = schemaVersion(realPeers, first(realLocal, SCHEMA_VERSION));
    List<List<@Nullable ByteBuffer>> rows = new ArrayList<>();
    for (InetSocketAddress peer : members.peers()) {
      Map<String, @Nullable ByteBuffer> cells = place(peer);
      for (String name : SHARED) {
        cells.put(name, first(realLocal, name));
      }
      cells.put(SCHEMA_VERSION, schema);
      List<@Nullable ByteBuffer> row = new ArrayList<>();
      realPeers.columns().forEach(column -> row.add(cells.get(column.name())));
      rows.add(row);
    }
    return new RowSet(realPeers.columns(), rows);
  }

  /**
   * Returns the schema version of the other proxies: that of a peer whose version differs from the
   * node that answered, else that node's own. A driver that compares the members then waits for
   * schema agreement of the nodes, as without proxies, because any proxy may send a request to any
   * node. Nodes that get no requests now are ignored.
   */
  private @Nullable ByteBuffer schemaVersion(RowSet realPeers, @Nullable ByteBuffer own) {
    int id = realPeers.indexOf("host_id");
    int version = realPeers.indexOf(SCHEMA_VERSION);
    if (id < 0 || version < 0) {
      return own;
    }
    for (List<@Nullable ByteBuffer> row : realPeers.rows()) {
      ByteBuffer theirs = row.get(version);
      if (theirs != null && !theirs.equals(own) && isServing(row.get(id))) {
        return theirs;
      }
    }
    return own;
  }

  private boolean isServing(@Nullable ByteBuffer hostId) {
    if (hostId == null || hostId.remaining() != 2 * Long.BYTES) {
      return false;
    }
    int at = hostId.position();
    return members.isServing(new UUID(hostId.getLong(at), hostId.getLong(at + Long.BYTES)));
  }

  /** Returns a cell of the first row; null without such a row or column. */
  private static @Nullable ByteBuffer first(RowSet table, String name) {
    int column = table.indexOf(name);
    return column < 0 || table.rows().isEmpty() ? null : table.rows().get(0).get(column);
  }

  /** Returns the cells of one proxy that hold its address and identity. */
  private Map<String, @Nullable ByteBuffer> place(InetSocketAddress proxy) {
    ByteBuffer address = inet(proxy.getAddress());
    ByteBuffer port = ByteBuffer.allocate(Integer.BYTES).putInt(0, proxy.getPort());
    Map<String, @Nullable ByteBuffer> cells = new HashMap<>();
    for (String name : IDENTIFYING) {
      if (name.endsWith("_address") || name.equals("peer")) {
        cells.put(name, address);
      } else if (name.endsWith("_port") && !name.startsWith("preferred")) {
        cells.put(name, port);
      }
    }
    cells.put("host_id", uuid(members.hostId(proxy)));
    cells.put("tokens", textSet(members.tokens(proxy)));
    return cells;
  }

  private static ByteBuffer inet(InetAddress address) {
    return ByteBuffer.wrap(address.getAddress());
  }

  private static ByteBuffer uuid(UUID id) {
    return ByteBuffer.allocate(2 * Long.BYTES)
        .putLong(0, id.getMostSignificantBits())
        .putLong(Long.BYTES, id.getLeastSignificantBits());
  }

  private static ByteBuffer textSet(List<String> texts) {
    List<byte[]> sorted =
        texts.stream().sorted().map(text -> text.getBytes(StandardCharsets.UTF_8)).toList();
    int length = sorted.stream().mapToInt(bytes -> Integer.BYTES + bytes.length).sum();
    ByteBuffer out = ByteBuffer.allocate(Integer.BYTES + length).putInt(sorted.size());
    sorted.forEach(bytes -> out.putInt(bytes.length).put(bytes));
    return out.flip();
  }
}
