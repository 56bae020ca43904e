package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.protocol.internal.request.Query;
import com.datastax.oss.protocol.internal.request.query.QueryOptions;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.decide.rule.Rule;
import io.sluice.decide.rule.Rule.RuleClass;
import io.sluice.decide.schedule.NodeLimits;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.ring.TestPartitioner;
import io.sluice.ring.Token;
import io.sluice.watch.ClusterView;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.CqlRequest;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.TestFrames;
import io.sluice.wire.TestRows;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests requests that a rule sends to another data centre, on the whole path. Each data centre has
 * two nodes, which both own everything.
 */
class DatacenterRulesTest {

  private static final int SERIAL = 8;
  private static final int ONE = 1;
  private static final String FAR = "dc2";
  private static final String SCAN = "SELECT k FROM ks.t";
  private static final String READ = "SELECT v FROM ks.t WHERE k = 1";

  private final PathFixture fixture =
      new PathFixture(4, new SplitConfig(SplitConfig.Parallel.WAVES, 1000, 0, 8, 1 << 20, false));

  @BeforeEach
  void two_data_centres() {
    // No test waits for a timeout, and a busy machine may take more than the fixture's.
    fixture.readsMayTake(Duration.ofSeconds(10));
    fixture.allDo(request -> TestRequests.rows());
    nodesThereAre(true);
    fixture.scheduler.nodes(
        fixture.cluster.view().ring().scheduling(List.of(FAR)).scheduled().stream()
            .map(node -> new NodeLimits(node.id(), 32))
            .toList());
    sendTo(FAR);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private void nodesThereAre(boolean up) {
    Map<NodeId, Node> nodes = new HashMap<>();
    for (int i = 0; i < fixture.nodes.size(); i++) {
      NodeId id = new NodeId(new UUID(0, i + 1));
      String datacenter = i < 2 ? "dc1" : FAR;
      nodes.put(id, new Node(id, fixture.nodes.get(i).address(), datacenter, "r1", i < 2 || up));
    }
    Ring ring =
        Ring.of(
            TestPartitioner.ANY,
            "dc1",
            nodes,
            Map.of("dc1", Map.of("ks", owners(1, 2)), FAR, Map.of("ks", owners(3, 4))));
    ClusterView view = fixture.cluster.view();
    fixture.cluster.becomes(new ClusterView(ring, view.catalog(), Map.of(), Map.of()));
    fixture.health.changed(ring);
  }

  private static Ring.Replicas owners(long... numbers) {
    List<NodeId> all = new ArrayList<>();
    for (long number : numbers) {
      all.add(new NodeId(new UUID(0, number)));
    }
    return new Ring.Replicas(List.of(new Token.Murmur3(0)), List.of(all));
  }

  private void sendTo(String datacenter) {
    Rule.Match match =
        new Rule.Match(
            null,
            null,
            null,
            null,
            null,
            null,
            List.of(RuleClass.POINT, RuleClass.RANGE, RuleClass.WRITE),
            null,
            null,
            null);
    fixture.rules.change(
        List.of(new Rule("far", match, null, null, null, null, null).to(datacenter)));
  }

  private int heardHere() {
    return fixture.nodes.get(0).heard.size() + fixture.nodes.get(1).heard.size();
  }

  private int heardThere() {
    return fixture.heard() - heardHere();
  }

  private static Frame at(int consistency, String cql) {
    QueryOptions options =
        new QueryOptions(
            consistency,
            List.of(),
            Map.of(),
            false,
            -1,
            null,
            SERIAL,
            Long.MIN_VALUE,
            null,
            Integer.MIN_VALUE);
    return TestFrames.request(4, 0, new Query(cql, options));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT v FROM ks.t WHERE k = 1",
        "SELECT v FROM ks.t WHERE k IN (1, 2)",
        "SELECT v FROM ks.t LIMIT 3",
        "SELECT count(*) FROM ks.t",
        "INSERT INTO ks.t (k, v) VALUES (1, 2)",
        "BEGIN BATCH INSERT INTO ks.t (k, v) VALUES (1, 2); APPLY BATCH"
      })
  void reads_and_writes_reach_only_the_nodes_of_the_data_centre(String cql)
      throws InterruptedException {
    for (int i = 0; i < 4; i++) {
      fixture.ask(at(ONE, cql)).answerMeanwhile();
    }
    assertThat(heardHere()).isZero();
    assertThat(heardThere()).isGreaterThanOrEqualTo(4);
    fixture.rules.change(List.of());
    int before = heardThere();
    fixture.ask(at(ONE, cql)).answerMeanwhile();
    assertThat(heardThere()).isEqualTo(before);
  }

  /** LOCAL_SERIAL orders only transactions of one data centre. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1 | INSERT INTO ks.t (k, v) VALUES (1, 2) IF NOT EXISTS",
        "1 | BEGIN BATCH UPDATE ks.t SET v = 1 WHERE k = 1 IF v = 2; APPLY BATCH",
        "9 | SELECT v FROM ks.t WHERE k = 1",
        "8 | SELECT v FROM ks.t WHERE k = 1",
        "1 | CREATE TABLE ks.u (k int PRIMARY KEY)",
        "1 | SELECT * FROM system.local"
      })
  void transactions_and_what_is_no_read_or_write_stay(int consistency, String cql)
      throws InterruptedException {
    fixture.ask(at(consistency, cql)).answerMeanwhile();
    assertThat(heardHere()).isPositive();
    assertThat(heardThere()).isZero();
  }

  @Test
  void a_scan_is_split_among_the_owners_there() throws InterruptedException {
    FakeTable table = new FakeTable(400, 10);
    fixture.allDo(table);
    TestRows.Read all = fixture.ask(TestFrames.page(SCAN, -1, null)).page();
    assertThat(all.cells()).hasSameSizeAs(table.keys());
    assertThat(heardHere()).isZero();
    assertThat(heardThere()).isPositive();
  }

  @Test
  void pieces_that_nodes_refuse_are_read_whole_there() throws InterruptedException {
    FakeTable table = new FakeTable(400, 10);
    fixture.allDo(
        request ->
            CqlRequest.of(request) instanceof CqlRequest.Query query && query.cql().equals(SCAN)
                ? table.answer(request)
                : CqlCodec.error(4, ErrorCode.INVALID, "no"));
    assertThat(fixture.ask(TestFrames.page(SCAN, -1, null)).page().cells())
        .hasSameSizeAs(table.keys());
    assertThat(heardHere()).isZero();
  }

  @Test
  void rows_of_two_schemas_are_read_again_at_one_node_there() throws InterruptedException {
    FakeTable table = new FakeTable(400, 10);
    AtomicInteger asked = new AtomicInteger();
    fixture.allDo(
        request ->
            asked.incrementAndGet() == 2 ? new TestRows("k text").frame() : table.answer(request));
    assertThat(fixture.ask(TestFrames.page(SCAN, -1, null)).page().cells())
        .hasSameSizeAs(table.keys());
    assertThat(asked).hasValueGreaterThan(2);
    assertThat(heardHere()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {READ, "SELECT v FROM ks.t", "SELECT v FROM ks.t LIMIT 3"})
  void a_read_fails_over_within_the_data_centre_only(String cql) throws InterruptedException {
    fixture.nodes.get(2).close();
    assertThat(fixture.ask(TestRequests.query(cql)).answer()).isEqualTo("rows");
    fixture.nodes.get(3).close();
    PathFixture.Asked asked = fixture.ask(TestRequests.query(cql));
    assertThat(asked.answer()).isEqualTo("1000");
    assertThat(asked.words).endsWith(" (data centre dc2 of rule far)");
    assertThat(heardHere()).isZero();
  }

  @Test
  void a_data_centre_without_a_live_node_is_an_error() throws InterruptedException {
    nodesThereAre(false);
    PathFixture.Asked asked = fixture.ask(TestRequests.read());
    assertThat(asked.answer()).isEqualTo("%04x".formatted(ErrorCode.UNAVAILABLE));
    assertThat(asked.words).endsWith("No node is up (data centre dc2 of rule far)");
    assertThat(fixture.heard()).isZero();
    nodesThereAre(true);
    assertThat(fixture.ask(TestRequests.read()).answer()).isEqualTo("rows");
  }

  @Test
  void an_unknown_data_centre_is_an_error_that_names_the_others() throws InterruptedException {
    sendTo("dc3");
    PathFixture.Asked asked = fixture.ask(TestRequests.read());
    assertThat(asked.answer()).isEqualTo("1000");
    assertThat(asked.words)
        .endsWith(
            "The cluster has no such data centre, but dc1, dc2 (data centre dc3 of rule far)");
    assertThat(rows("SELECT problem FROM system_proxy.rules"))
        .containsExactly(
            "the cluster has no data centre dc3, but dc1, dc2: its reads and writes fail");
    sendTo(FAR);
    assertThat(rows("SELECT problem FROM system_proxy.rules")).containsExactly("null");
  }

  @Test
  void explain_shows_the_nodes_and_the_data_centre() throws InterruptedException {
    fixture.allDo(request -> TestFrames.prepared(4, TestFrames.id("explained")));
    List<String> lines = rows("EXPLAIN " + READ);
    assertThat(lines.get(0)).contains(address(2)).doesNotContain(address(0));
    assertThat(lines).anyMatch(line -> line.contains("datacenter dc2"));
  }

  private String address(int node) {
    return ":" + fixture.nodes.get(node).address().getPort();
  }

  /** Returns the rows of the answer, with cells separated by bars. */
  private List<String> rows(String cql) throws InterruptedException {
    List<String> lines = new ArrayList<>();
    fixture
        .ask(TestRequests.query(cql))
        .page()
        .cells()
        .forEach(
            row ->
                lines.add(
                    String.join(
                        "|",
                        row.stream()
                            .map(
                                cell ->
                                    cell == null
                                        ? "null"
                                        : StandardCharsets.UTF_8.decode(cell).toString())
                            .toList())));
    return lines;
  }
}
