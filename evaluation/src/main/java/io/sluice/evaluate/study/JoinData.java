package io.sluice.evaluate.study;

import com.datastax.oss.driver.api.core.CqlSession;
import io.sluice.cluster.LocalCluster;
import io.sluice.evaluate.drive.Data;
import io.sluice.evaluate.drive.Loader;
import io.sluice.load.Endpoint;
import java.util.List;

/**
 * The data of a join. One keyspace has one replica of each row, so half of its rows move, and their
 * SSTables are rewritten. The other will have two replicas, so whole SSTables are streamed as
 * files.
 */
final class JoinData {
  static final String HALF = "sluice_half";
  static final String WHOLE = "sluice_whole";
  static final List<String> KEYSPACES = List.of(HALF, WHOLE);

  private static final int TABLES = 2;

  private JoinData() {}

  static void fill(LocalCluster cluster, JoinSettings settings) throws InterruptedException {
    try (CqlSession session = open(cluster);
        NodeBeans beans = NodeBeans.of(cluster.node(0))) {
      for (String keyspace : KEYSPACES) {
        Loader loader = new Loader(session, data(session, keyspace, settings));
        loader.create("{'class': 'SimpleStrategy', 'replication_factor': 1}");
        beans.disableCompaction(keyspace);
        for (int flush = 0; flush < settings.flushes(); flush++) {
          loader.load(settings.seed() + flush, done -> {});
          cluster.node(0).flush(keyspace);
        }
      }
      session.execute(
          "ALTER KEYSPACE "
              + WHOLE
              + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 2}");
      for (String keyspace : List.of("system_schema", "system")) {
        cluster.node(0).flush(keyspace);
      }
    }
  }

  static CqlSession open(LocalCluster cluster) {
    return Endpoint.of(cluster.contactPoints(), null).open();
  }

  /** Returns the tables of a keyspace. */
  static Data data(CqlSession session, String keyspace, JoinSettings settings) {
    return StudyTable.data(session, keyspace, TABLES, settings.rows(), settings.valueBytes());
  }
}
