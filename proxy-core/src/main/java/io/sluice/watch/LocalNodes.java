package io.sluice.watch;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import io.sluice.ring.NodeId;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * The nodes of the local data centre, as the driver's current session knows them. Safe for any
 * thread.
 */
record LocalNodes(Supplier<DriverSession> session, String datacenter) {

  /** Returns the nodes that are up. The driver knows the host id of each. */
  List<NodeId> up() {
    return session.get().metadata().getNodes().values().stream()
        .filter(node -> node.getState() == NodeState.UP)
        .filter(node -> datacenter.equals(node.getDatacenter()))
        .map(Node::getHostId)
        .filter(Objects::nonNull)
        .map(NodeId::new)
        .toList();
  }

  /** Queries one node, over a connection pinned to it. */
  CompletionStage<AsyncResultSet> ask(NodeId node, SimpleStatement query) {
    return session.get().ask(node, query);
  }
}
