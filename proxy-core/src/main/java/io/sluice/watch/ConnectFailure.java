package io.sluice.watch;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.auth.AuthenticationException;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Explains in one line why the cluster is not usable, and what to do. */
final class ConnectFailure {

  private ConnectFailure() {}

  /** Explains why the driver could not connect or run a query. */
  static String explain(ClusterConfig config, RuntimeException failure) {
    if (!(failure instanceof AllNodesFailedException all)) {
      return "the cluster cannot be queried: " + reason(failure);
    }
    Optional<String> refused =
        all.getAllErrors().values().stream()
            .flatMap(List::stream)
            .filter(AuthenticationException.class::isInstance)
            .map(error -> refused(config.credentials(), error))
            .findFirst();
    return refused.orElseGet(() -> unreachable(all.getAllErrors()));
  }

  private static String refused(
      ClusterConfig.@Nullable Credentials credentials, Throwable authentication) {
    return credentials == null
        ? "the cluster requires a login; set cluster.credentials {username, password}"
        : "cluster.credentials: "
            + credentials.username()
            + " was refused: "
            + reason(authentication);
  }

  private static String unreachable(Map<Node, List<Throwable>> errors) {
    if (errors.isEmpty()) {
      return "the cluster cannot be queried: none of its nodes is up";
    }
    return "cluster.contactPoints: none can be queried: "
        + errors.entrySet().stream()
            .map(entry -> entry.getKey().getEndPoint() + " (" + last(entry.getValue()) + ")")
            .collect(Collectors.joining(", "));
  }

  private static String last(List<Throwable> errors) {
    return reason(errors.get(errors.size() - 1));
  }

  /** Returns the message of the innermost cause that has one. */
  static String reason(Throwable failure) {
    String message = "";
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof ClosedChannelException) {
        return "the connection was closed";
      }
      message = each.getMessage() == null ? message : each.getMessage();
    }
    return message.isEmpty() ? failure.getClass().getSimpleName() : message;
  }

  /**
   * Returns an error if {@code wanted} is not a data centre of {@code nodes}; otherwise an empty
   * string.
   */
  static String wrongDatacenter(String wanted, Iterable<Node> nodes) {
    TreeSet<String> known = new TreeSet<>();
    nodes.forEach(node -> Optional.ofNullable(node.getDatacenter()).ifPresent(known::add));
    if (known.contains(wanted)) {
      return "";
    }
    String hint =
        known.stream()
            .filter(each -> known.size() == 1 || each.equalsIgnoreCase(wanted))
            .findFirst()
            .map(each -> "; did you mean " + each + "?")
            .orElse("");
    return "cluster.localDatacenter is "
        + wanted
        + ", but the cluster has "
        + String.join(", ", known)
        + hint;
  }
}
