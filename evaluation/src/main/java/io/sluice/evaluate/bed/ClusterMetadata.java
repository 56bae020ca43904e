package io.sluice.evaluate.bed;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.TokenMap;
import com.datastax.oss.driver.api.core.metadata.token.Token;
import io.sluice.cluster.ClusterFailure;
import io.sluice.cluster.ClusterPartitioner;
import java.nio.ByteBuffer;
import java.util.Objects;

/** The metadata of a cluster, read through a session to its nodes. Safe for any thread. */
final class ClusterMetadata {
  private final CqlSession session;

  ClusterMetadata(CqlSession session) {
    this.session = session;
  }

  /** Returns the release version of the nodes. */
  String cassandraVersion() {
    return Objects.requireNonNull(
        Objects.requireNonNull(session.execute("SELECT release_version FROM system.local").one())
            .getString(0));
  }

  /** Returns the number of nodes. */
  int nodes() {
    return session.getMetadata().getNodes().size();
  }

  /** Returns the name of the data centre. */
  String datacenter() {
    return session.getMetadata().getNodes().values().stream()
        .map(Node::getDatacenter)
        .filter(Objects::nonNull)
        .findFirst()
        .orElseThrow(() -> new ClusterFailure("no node reports its data centre"));
  }

  /** Returns the name of the partitioner. */
  String partitioner() {
    return tokens().getPartitionerName();
  }

  /** Returns the token of a partition key. */
  Token token(ByteBuffer key) {
    return tokens().newToken(key);
  }

  private TokenMap tokens() {
    return session
        .getMetadata()
        .getTokenMap()
        .orElseThrow(() -> new ClusterFailure("the cluster has no token metadata"));
  }

  /**
   * Fails if the data needs a byte-ordered partitioner and the nodes have another one. Other data
   * fits any partitioner.
   */
  void require(ClusterPartitioner partitioner) {
    if (partitioner == ClusterPartitioner.BYTEORDERED
        && !partitioner().endsWith("ByteOrderedPartitioner")) {
      throw new ClusterFailure(
          "the nodes of --hosts use "
              + partitioner()
              + ", but --paper-data needs ByteOrderedPartitioner");
    }
  }
}
