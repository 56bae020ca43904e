package io.sluice.cluster;

import com.datastax.oss.protocol.internal.ProtocolConstants;
import io.sluice.rawcql.ErrorResponse;
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

  /** The beginning of Cassandra's message when no replica with the role answers. */
  private static final String ROLE_UNREAD = "Unable to perform authentication";

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
    try {
      return readsWholeRing(address, peers);
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Whether the node sees the whole ring, or refuses the superuser because its password was changed
   * or its role altered or dropped. Such a node has read the role from {@code system_auth}; which
   * nodes it knows, and which of them are up, is not checked then. Only for a cluster that was
   * ready once: the nodes of a new one refuse the superuser until they have created it.
   */
  static boolean seesWholeRingOrRefuses(InetSocketAddress address, int peers) {
    try {
      return readsWholeRing(address, peers);
    } catch (ErrorResponse e) {
      return isRefusal(e);
    } catch (IOException e) {
      return false;
    }
  }

  /** Whether the node has read the role. A role that it cannot read is a failed login too. */
  private static boolean isRefusal(ErrorResponse e) {
    return e.code() == ProtocolConstants.ErrorCode.UNAUTHORIZED
        || (e.code() == ProtocolConstants.ErrorCode.AUTH_ERROR
            && !String.valueOf(e.getMessage()).startsWith(ROLE_UNREAD));
  }

  private static boolean readsWholeRing(InetSocketAddress address, int peers) throws IOException {
    try (RawCql cql = RawCql.connect(address, VERSION, TIMEOUT_MILLIS, "cassandra", "cassandra")) {
      int known =
          cql.query("SELECT peer FROM system.peers_v2", ProtocolConstants.ConsistencyLevel.ONE)
              .size();
      cql.query("SELECT role FROM system_auth.roles", ProtocolConstants.ConsistencyLevel.ALL);
      return known >= peers;
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
