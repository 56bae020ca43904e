package io.sluice.torture.load;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.NoNodeAvailableException;
import com.datastax.oss.driver.api.core.NodeUnavailableException;
import com.datastax.oss.driver.api.core.connection.ClosedConnectionException;
import com.datastax.oss.driver.api.core.connection.ConnectionInitException;
import com.datastax.oss.driver.api.core.connection.HeartbeatException;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.BootstrappingException;
import com.datastax.oss.driver.api.core.servererrors.CASWriteUnknownException;
import com.datastax.oss.driver.api.core.servererrors.OverloadedException;
import com.datastax.oss.driver.api.core.servererrors.ReadFailureException;
import com.datastax.oss.driver.api.core.servererrors.ReadTimeoutException;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import com.datastax.oss.driver.api.core.servererrors.WriteFailureException;
import com.datastax.oss.driver.api.core.servererrors.WriteTimeoutException;
import io.sluice.torture.check.Failure;
import io.sluice.torture.check.Failure.Kind;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Maps exceptions of the driver to failures. */
final class Failures {
  private static final Map<Class<? extends Throwable>, Kind> KINDS =
      Map.ofEntries(
          Map.entry(ReadTimeoutException.class, Kind.TIMEOUT),
          Map.entry(WriteTimeoutException.class, Kind.TIMEOUT),
          Map.entry(CASWriteUnknownException.class, Kind.TIMEOUT),
          Map.entry(UnavailableException.class, Kind.UNAVAILABLE),
          Map.entry(OverloadedException.class, Kind.OVERLOADED),
          Map.entry(BootstrappingException.class, Kind.BOOTSTRAPPING),
          Map.entry(ReadFailureException.class, Kind.REPLICA_FAILURE),
          Map.entry(WriteFailureException.class, Kind.REPLICA_FAILURE),
          Map.entry(ClosedConnectionException.class, Kind.CLOSED),
          Map.entry(ConnectionInitException.class, Kind.CLOSED),
          Map.entry(HeartbeatException.class, Kind.CLOSED),
          Map.entry(NoNodeAvailableException.class, Kind.CLOSED),
          Map.entry(NodeUnavailableException.class, Kind.CLOSED),
          Map.entry(DriverTimeoutException.class, Kind.NO_ANSWER));

  private static final int CAUSES = 5;
  private static final int LONGEST_MESSAGE = 300;

  private Failures() {}

  /** Returns the failure for an error. Its text has the messages of the error and its causes. */
  static Failure of(Throwable error) {
    StringJoiner text = new StringJoiner(" <- ");
    Throwable each = error;
    for (int i = 0; i < CAUSES && each != null; i++) {
      text.add(each.getClass().getSimpleName() + ": " + shortened(each.getMessage()));
      each = cause(each);
    }
    return new Failure(kind(error), text.toString(), closedAt(error));
  }

  /**
   * Returns the failure for an error of a request. A read may have no error of a write, and a write
   * none of a read: clients decide by the error whether data may have changed. A transaction reads
   * and writes, and may have both.
   */
  static Failure of(Throwable error, Text request) {
    boolean possible =
        request.isTransaction() || (request.isRead() ? !isOfWrites(error) : !isOfReads(error));
    return possible ? of(error) : new Failure(Kind.OTHER, request + ": " + of(error).text());
  }

  private static boolean isOfReads(Throwable error) {
    return error instanceof ReadTimeoutException || error instanceof ReadFailureException;
  }

  private static boolean isOfWrites(Throwable error) {
    return error instanceof WriteTimeoutException
        || error instanceof WriteFailureException
        || error instanceof CASWriteUnknownException;
  }

  private static String shortened(@Nullable String message) {
    return message == null || message.length() <= LONGEST_MESSAGE
        ? String.valueOf(message)
        : message.substring(0, LONGEST_MESSAGE) + "…";
  }

  /** Returns the cause; of several nodes' errors, the first. */
  private static @Nullable Throwable cause(Throwable error) {
    return error instanceof AllNodesFailedException all
        ? all.getAllErrors().values().stream().flatMap(List::stream).findFirst().orElse(null)
        : error.getCause();
  }

  /** Returns the addresses of closed connections, as far as the driver names them. */
  private static List<String> closedAt(Throwable error) {
    if (kind(error) != Kind.CLOSED) {
      return List.of();
    }
    if (error instanceof AllNodesFailedException all) {
      return all.getAllErrors().entrySet().stream()
          .filter(node -> node.getValue().stream().anyMatch(each -> kind(each) == Kind.CLOSED))
          .map(node -> Addresses.text(node.getKey()))
          .toList();
    }
    ExecutionInfo info = error instanceof DriverException known ? known.getExecutionInfo() : null;
    Node node = info == null ? null : info.getCoordinator();
    return node == null ? List.of() : List.of(Addresses.text(node));
  }

  /** Returns the kind; of several nodes' errors, an unexpected one wins. */
  private static Kind kind(Throwable error) {
    Kind known = KINDS.get(error.getClass());
    if (known != null) {
      return known;
    }
    if (error instanceof AllNodesFailedException all) {
      List<Kind> kinds =
          all.getAllErrors().values().stream().flatMap(List::stream).map(Failures::kind).toList();
      return kinds.stream()
          .filter(kind -> !kind.allowed())
          .findFirst()
          .orElse(kinds.isEmpty() ? Kind.CLOSED : kinds.get(kinds.size() - 1));
    }
    // The driver wrote to a connection that has just been closed, and passes on Netty's exception.
    return error instanceof ClosedChannelException ? Kind.CLOSED : Kind.OTHER;
  }
}
