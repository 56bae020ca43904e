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

/** Says in one line why the cluster cannot be used, and what to do. */
final class ConnectFailure {

  private ConnectFailure() {}

  /** Why the driver could not connect or ask. */
  static String explain(ClusterConfig config, RuntimeException failure) {
    if (!(failure instanceof AllNodesFailedException all)) {
      return "the cluster cannot be asked: " + reason(failure);
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
        ? "the cluster asks for a login; set cluster.credentials {username, password}"
        : "cluster.credentials: "
            + credentials.username()
            + " was refused: "
            + reason(authentication);
  }

  private static String unreachable(Map<Node, List<Throwable>> errors) {
    if (errors.isEmpty()) {
      return "the cluster cannot be asked: no node of it is up";
    }
    return "cluster.contactPoints: none can be asked: "
        + errors.entrySet().stream()
            .map(entry -> entry.getKey().getEndPoint() + " (" + last(entry.getValue()) + ")")
            .collect(Collectors.joining(", "));
  }

  private static String last(List<Throwable> errors) {
    return reason(errors.get(errors.size() - 1));
  }

  /** The innermost cause that says something. */
  static String reason(Throwable failure) {
    String said = "";
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof ClosedChannelException) {
        return "the connection was closed";
      }
      said = each.getMessage() == null ? said : each.getMessage();
    }
    return said.isEmpty() ? failure.getClass().getSimpleName() : said;
  }

  /** That {@code wanted} is none of the data centres of {@code nodes}; empty if it is one. */
  static String wrongDatacenter(String wanted, Iterable<Node> nodes) {
    TreeSet<String> known = new TreeSet<>();
    nodes.forEach(node -> Optional.ofNullable(node.getDatacenter()).ifPresent(known::add));
    if (known.contains(wanted)) {
      return "";
    }
    String meant =
        known.stream()
            .filter(each -> known.size() == 1 || each.equalsIgnoreCase(wanted))
            .findFirst()
            .map(each -> "; did you mean " + each + "?")
            .orElse("");
    return "cluster.localDatacenter is "
        + wanted
        + ", but the cluster has "
        + String.join(", ", known)
        + meant;
  }
}
