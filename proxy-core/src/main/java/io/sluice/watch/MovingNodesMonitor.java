package io.sluice.watch;

import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.internal.core.context.InternalDriverContext;
import com.datastax.oss.driver.internal.core.metadata.DefaultNode;
import com.datastax.oss.driver.internal.core.metadata.DefaultTopologyMonitor;
import com.datastax.oss.driver.internal.core.metadata.MetadataManager;
import com.datastax.oss.driver.internal.core.metadata.NodeInfo;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Reads the nodes as the driver does, and nodes whose tokens have changed by themselves before. The
 * driver (4.19.3) takes over the tokens of a list of nodes, but computes the owners of token ranges
 * again only if a node has joined or left, or if a single node was read.
 */
final class MovingNodesMonitor extends DefaultTopologyMonitor {

  private final InternalDriverContext context;

  MovingNodesMonitor(InternalDriverContext context) {
    super(context);
    this.context = context;
  }

  @Override
  public CompletionStage<Iterable<NodeInfo>> refreshNodeList() {
    return super.refreshNodeList().thenCompose(this::readMoved);
  }

  /** Completes when the nodes that have moved were read, even if that has failed. */
  private CompletionStage<Iterable<NodeInfo>> readMoved(Iterable<NodeInfo> found) {
    MetadataManager manager = context.getMetadataManager();
    Map<UUID, Node> known = manager.getMetadata().getNodes();
    CompletableFuture<?>[] moved =
        StreamSupport.stream(found.spliterator(), false)
            .filter(each -> hasMoved(known.get(each.getHostId()), each))
            .map(each -> manager.refreshNode(known.get(each.getHostId())).toCompletableFuture())
            .toArray(CompletableFuture<?>[]::new);
    return CompletableFuture.allOf(moved).handle((done, failure) -> found);
  }

  private static boolean hasMoved(@Nullable Node known, NodeInfo found) {
    return known instanceof DefaultNode node && !node.getRawTokens().equals(found.getTokens());
  }
}
