package io.sluice.statement;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.protocol.internal.request.Query;
import com.datastax.oss.protocol.internal.request.query.QueryOptions;
import io.sluice.decide.plan.ScatterPlanner;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.exchange.TestClient;
import io.sluice.execute.merge.StatementDigest;
import io.sluice.ring.Catalog;
import io.sluice.ring.Ring;
import io.sluice.ring.TestPartitioner;
import io.sluice.watch.ClusterView;
import io.sluice.wire.Frame;
import io.sluice.wire.TestFrames;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Tests which requests may continue from the paging state of another request. */
class RangeStatementTest {

  private static final ClusterView VIEW =
      new ClusterView(
          new Ring(TestPartitioner.ANY, "dc1", Map.of(), Map.of()),
          Catalog.EMPTY,
          Map.of(),
          Map.of());

  private final StatementReader reader =
      new StatementReader(
          new PreparedCache(10, 1 << 20), new ScatterPlanner(SplitConfig.defaults()));

  private static ByteBuffer number(int value) {
    return ByteBuffer.allocate(4).putInt(0, value);
  }

  private static Map<String, ByteBuffer> named(Object... namesAndValues) {
    Map<String, ByteBuffer> values = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      values.put((String) namesAndValues[i], number((int) namesAndValues[i + 1]));
    }
    return values;
  }

  private StatementDigest digest(String cql, List<ByteBuffer> values, Map<String, ByteBuffer> named)
      throws StatementReader.UnknownStatement {
    QueryOptions options =
        new QueryOptions(
            1,
            values,
            named,
            false,
            50,
            null,
            8,
            QueryOptions.NO_DEFAULT_TIMESTAMP,
            null,
            QueryOptions.NO_NOW_IN_SECONDS);
    Frame frame = TestFrames.request(4, 1, new Query(cql, options));
    try {
      Statement read = reader.read(frame, new TestClient(4), VIEW);
      return Objects.requireNonNull(read.range())
          .digest(Objects.requireNonNull(read.classified().select()));
    } finally {
      frame.release();
    }
  }

  private StatementDigest positional(String cql, int... values) throws Exception {
    return digest(
        cql,
        java.util.Arrays.stream(values).mapToObj(RangeStatementTest::number).toList(),
        Map.of());
  }

  private StatementDigest byName(String cql, Object... namesAndValues) throws Exception {
    return digest(cql, List.of(), named(namesAndValues));
  }

  private static final String READ =
      "SELECT * FROM ks.t WHERE v = ? AND token(k) > ? LIMIT ? ALLOW FILTERING";
  private static final String NAMED =
      "SELECT * FROM ks.t WHERE v = :v AND token(k) > :t LIMIT :n ALLOW FILTERING";

  @Test
  void a_request_with_another_limit_may_continue() throws Exception {
    assertThat(positional(READ, 1, 2, 30)).isEqualTo(positional(READ, 1, 2, 7));
    assertThat(positional("SELECT * FROM ks.t WHERE token(k) > 1 LIMIT 5"))
        .isEqualTo(positional("SELECT * FROM ks.t WHERE token(k) > 1 LIMIT 50"));
  }

  @Test
  void named_values_may_come_in_any_order() throws Exception {
    assertThat(byName(NAMED, "v", 1, "t", 2, "n", 3))
        .isEqualTo(byName(NAMED, "n", 4, "t", 2, "v", 1));
  }

  @Test
  void a_request_with_other_values_or_text_may_not_continue() throws Exception {
    StatementDigest first = positional(READ, 1, 2, 3);
    assertThat(positional(READ, 9, 2, 3)).isNotEqualTo(first);
    assertThat(positional(READ, 1, 9, 3)).isNotEqualTo(first);
    assertThat(positional(READ, 2, 1, 3)).isNotEqualTo(first);
    assertThat(positional(READ.replace("v =", "w ="), 1, 2, 3)).isNotEqualTo(first);
    assertThat(byName(NAMED, "v", 2, "t", 1, "n", 3))
        .isNotEqualTo(byName(NAMED, "v", 1, "t", 2, "n", 3));
    String perPartition = "SELECT * FROM ks.t WHERE token(k) > 1 PER PARTITION LIMIT ";
    assertThat(positional(perPartition + "?", 2)).isNotEqualTo(positional(perPartition + "?", 3));
    assertThat(positional(perPartition + 2)).isNotEqualTo(positional(perPartition + 3));
  }
}
