package io.sluice.cluster;

import com.datastax.oss.protocol.internal.ProtocolConstants;
import io.sluice.rawcql.RawCql;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Checks over a node's native port how far its start has got. Stateless. */
public final class Readiness {
  private static final int TIMEOUT_MILLIS = 3000;
  private static final int VERSION = 4;

  private Readiness() {}

  /** Whether its native port is open, which is the last step of a start. */
  public static boolean listens(InetSocketAddress address) {
    try (Socket socket = new Socket()) {
      socket.connect(address, TIMEOUT_MILLIS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Whether the node accepts the superuser, knows {@code peers} other nodes, and finds an owner of
   * every token up. If an owner is down, a read of all roles at ALL fails.
   */
  public static boolean seesWholeRing(InetSocketAddress address, int peers) {
    try (RawCql cql = RawCql.connect(address, VERSION, TIMEOUT_MILLIS, "cassandra", "cassandra")) {
      int known =
          cql.query("SELECT peer FROM system.peers_v2", ProtocolConstants.ConsistencyLevel.ONE)
              .size();
      cql.query("SELECT role FROM system_auth.roles", ProtocolConstants.ConsistencyLevel.ALL);
      return known >= peers;
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns the version of the node's schema; empty when the node does not answer. */
  public static Optional<ByteBuffer> schemaVersion(InetSocketAddress address) {
    try (RawCql cql = RawCql.connect(address, VERSION, TIMEOUT_MILLIS, "cassandra", "cassandra")) {
      return cql
          .query("SELECT schema_version FROM system.local", ProtocolConstants.ConsistencyLevel.ONE)
          .stream()
          .map(row -> row.get(0))
          .findFirst();
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
