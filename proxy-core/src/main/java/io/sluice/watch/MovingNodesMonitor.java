package io.sluice.watch;

import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.internal.core.context.InternalDriverContext;
import com.datastax.oss.driver.internal.core.metadata.DefaultNode;
import com.datastax.oss.driver.internal.core.metadata.DefaultTopologyMonitor;
import com.datastax.oss.driver.internal.core.metadata.MetadataManager;
import com.datastax.oss.driver.internal.core.metadata.NodeInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reads the nodes as the driver does, and passes on nodes whose tokens have changed one by one
 * before. The driver (4.19.3) takes over the tokens of a list of nodes, but computes the owners of
 * token ranges again only if a node has joined or left, or if a single node was read. It does not
 * read the node of its control connection, so what the list says of a node counts as a read.
 */
final class MovingNodesMonitor extends DefaultTopologyMonitor {

  private final InternalDriverContext context;

  /** Nodes of a list that have moved, until the driver asks for them. */
  private final Map<UUID, NodeInfo> moved = new ConcurrentHashMap<>();

  MovingNodesMonitor(InternalDriverContext context) {
    super(context);
    this.context = context;
  }

  @Override
  public CompletionStage<Iterable<NodeInfo>> refreshNodeList() {
    return super.refreshNodeList().thenCompose(this::readMoved);
  }

  @Override
  public CompletionStage<Optional<NodeInfo>> refreshNode(Node node) {
    NodeInfo listed = node.getHostId() == null ? null : moved.remove(node.getHostId());
    return listed == null
        ? super.refreshNode(node)
        : CompletableFuture.completedFuture(Optional.of(listed));
  }

  /** Completes when the nodes that have moved were passed on, even if that has failed. */
  private CompletionStage<Iterable<NodeInfo>> readMoved(Iterable<NodeInfo> found) {
    MetadataManager manager = context.getMetadataManager();
    Map<UUID, Node> known = manager.getMetadata().getNodes();
    List<CompletableFuture<?>> passedOn = new ArrayList<>();
    for (NodeInfo each : found) {
      if (known.get(each.getHostId()) instanceof DefaultNode node
          && !node.getRawTokens().equals(each.getTokens())) {
        moved.put(each.getHostId(), each);
        passedOn.add(manager.refreshNode(node).toCompletableFuture());
      }
    }
    return CompletableFuture.allOf(passedOn.toArray(new CompletableFuture<?>[0]))
        .handle((done, failure) -> found);
  }
}
