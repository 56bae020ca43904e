package io.sluice.it;

import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A session of the Java driver with its own keyspace; {@code $ks} in a statement stands for that
 * keyspace.
 */
record Place(CqlSession session, Target target, String keyspace) {

  /** Runs requests, and records the results. */
  @FunctionalInterface
  interface Script {
    void run(Place place, Transcript seen) throws Exception;
  }

  ResultSet run(String cql, @Nullable Object... values) {
    return session.execute(statement(cql, values));
  }

  SimpleStatement statement(String cql, @Nullable Object... values) {
    return SimpleStatement.newInstance(cql.replace("$ks", keyspace), values);
  }

  PreparedStatement prepare(String cql) {
    return session.prepare(cql.replace("$ks", keyspace));
  }

  /**
   * Changes the schema. At a node, it waits for schema agreement, which the driver would do itself
   * if it were connected to all nodes. Sluice must answer only after agreement.
   */
  ResultSet change(String cql) {
    ResultSet answer = run(cql);
    if (!target.isProxy()) {
      awaitAgreement();
    }
    return answer;
  }

  /**
   * Makes many schema changes at a node, and waits for agreement after the last one. Agreement
   * takes about a second.
   */
  void changeAll(List<String> changes) {
    changes.forEach(this::run);
    awaitAgreement();
  }

  private void awaitAgreement() {
    await()
        .atMost(Waiting.PATIENCE)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> schemaVersions().size() == 1);
  }

  private Set<Object> schemaVersions() {
    Set<Object> versions = new HashSet<>();
    for (String table : new String[] {"system.local", "system.peers_v2"}) {
      for (Row row : session.execute("SELECT schema_version FROM " + table)) {
        versions.add(String.valueOf(row.getUuid(0)));
      }
    }
    return versions;
  }
}
