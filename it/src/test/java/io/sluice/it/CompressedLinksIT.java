package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.Proxy;
import io.sluice.it.cluster.Capability;
import io.sluice.it.cluster.CassandraCluster;
import io.sluice.link.LinkConfig;
import io.sluice.wire.Compression;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Links to real nodes with compression, independent of the client's own connection. */
@CassandraCluster(needs = Capability.IN_PROCESS_PROXY)
class CompressedLinksIT {

  private static final int ROWS = 50;

  /** Longer than a segment of v5. */
  private static final int LONG = 300_000;

  private final Stage stage = Stage.plain();

  @ParameterizedTest
  @EnumSource(
      value = Compression.class,
      names = {"LZ4", "SNAPPY"})
  void written_values_are_read_back_in_every_version(Compression compression) throws Exception {
    try (Proxy proxy =
        Proxy.start(
            OwnNodes.proxyBefore(List.of(stage.direct().address())).withLinks(by(compression)),
            new SimpleMeterRegistry())) {
      Target sluice = new Target("Sluice", true, proxy.address(), "slu_");
      for (Wire wire : Wire.all().toList()) {
        try (CqlSession session = JavaDriver.open(sluice, wire)) {
          assertThat(read(session, sluice)).as("%s", wire).isEqualTo(written());
        }
      }
    }
  }

  private static LinkConfig by(Compression compression) {
    LinkConfig defaults = LinkConfig.defaults();
    return new LinkConfig(
        compression,
        Duration.ofSeconds(2),
        defaults.probeAfter(),
        defaults.suspectAfter(),
        defaults.dropAfter(),
        defaults.idleAfter());
  }

  private static List<String> written() {
    List<String> rows = new ArrayList<>();
    for (int k = 0; k < ROWS; k++) {
      rows.add(k % 10 == 0 ? (k + " again ").repeat(LONG / 8) : "row " + k);
    }
    return rows;
  }

  /** Writes rows, reads them by key and by pages, and checks that both results agree. */
  private static List<String> read(CqlSession session, Target target) {
    Place place = new Place(session, target, "compressed");
    SchemaScripts.keyspace(place);
    place.change("CREATE TABLE IF NOT EXISTS compressed.t (k int PRIMARY KEY, v text)");
    PreparedStatement insert = session.prepare("INSERT INTO compressed.t (k, v) VALUES (?, ?)");
    PreparedStatement select = session.prepare("SELECT v FROM compressed.t WHERE k = ?");
    List<String> written = written();
    List<String> byKey = new ArrayList<>();
    for (int k = 0; k < ROWS; k++) {
      session.execute(insert.bind(k, written.get(k)));
      session.execute(select.bind(k)).forEach(row -> byKey.add(row.getString(0)));
    }
    List<String> scanned = new ArrayList<>();
    session
        .execute(SimpleStatement.newInstance("SELECT v FROM compressed.t").setPageSize(9))
        .forEach(row -> scanned.add(row.getString(0)));
    assertThat(scanned).containsExactlyInAnyOrderElementsOf(byKey);
    return byKey;
  }
}
