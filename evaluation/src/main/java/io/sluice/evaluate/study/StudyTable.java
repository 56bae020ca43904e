package io.sluice.evaluate.study;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.metadata.TokenMap;
import io.sluice.cluster.ClusterFailure;
import io.sluice.cluster.LocalCluster;
import io.sluice.cluster.LocalNode;
import io.sluice.evaluate.drive.Data;
import io.sluice.evaluate.drive.Loader;
import io.sluice.evaluate.drive.Tables;
import io.sluice.load.Endpoint;

/** A table whose rows are flushed to disk, and a session to it. Not safe for several threads. */
final class StudyTable implements AutoCloseable {
  static final String KEYSPACE = "sluice_study";

  private final CqlSession session;
  private final Data data;

  private StudyTable(CqlSession session, Data data) {
    this.session = session;
    this.data = data;
  }

  /** Creates and fills the table, without compaction of its SSTables. */
  static StudyTable fill(LocalCluster cluster, int rows, int valueBytes, long seed)
      throws InterruptedException {
    return fill(cluster, KEYSPACE, rows, valueBytes, seed);
  }

  /** Creates and fills a table in another keyspace, without compaction of its SSTables. */
  static StudyTable fill(LocalCluster cluster, String keyspace, int rows, int valueBytes, long seed)
      throws InterruptedException {
    StudyTable table = of(cluster, keyspace, rows, valueBytes);
    try {
      Loader loader = new Loader(table.session, table.data);
      loader.create(cluster.replication());
      for (LocalNode node : cluster.nodes()) {
        try (NodeBeans beans = NodeBeans.of(node)) {
          beans.disableCompaction(keyspace);
        }
      }
      loader.load(seed, done -> {});
      cluster.nodes().forEach(node -> node.flush(keyspace));
    } catch (InterruptedException | RuntimeException e) {
      table.close();
      throw e;
    }
    return table;
  }

  private static StudyTable of(LocalCluster cluster, String keyspace, int rows, int valueBytes) {
    CqlSession session = Endpoint.of(cluster.contactPoints(), null).open();
    return new StudyTable(session, data(session, keyspace, 1, rows, valueBytes));
  }

  /** Returns tables with the tokens of a cluster. */
  static Data data(CqlSession session, String keyspace, int tables, int rows, int valueBytes) {
    TokenMap tokens =
        session
            .getMetadata()
            .getTokenMap()
            .orElseThrow(() -> new ClusterFailure("the cluster has no token metadata"));
    return new Data(keyspace, tables, rows, tokens::newToken, valueBytes);
  }

  /** Returns requests to the table. */
  Tables tables() {
    return new Tables(session, data);
  }

  /** Returns the total length of all values in bytes. */
  long bytes() {
    return data.valueBytesInAll();
  }

  @Override
  public void close() {
    session.close();
  }
}
