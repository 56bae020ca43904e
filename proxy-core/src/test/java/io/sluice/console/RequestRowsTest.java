package io.sluice.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.console.EstimatesTable.EstimateFact;
import io.sluice.decide.predict.Densities.KnownDensity;
import io.sluice.decide.predict.TableDensity.Origin;
import io.sluice.decide.predict.TableDensity.Source;
import io.sluice.decide.rule.Rule.Limit;
import io.sluice.decide.rule.RuleFacts;
import io.sluice.exchange.RunningRequests.RequestFacts;
import io.sluice.exchange.RunningRequests.RequestFacts.Progress.State;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.ring.TableName;
import io.sluice.ring.TestPartitioner;
import io.sluice.time.TestLane;
import io.sluice.watch.Cluster.EstimatesTry;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the rows of the tables about requests: those in flight, rules, limits, estimates. */
class RequestRowsTest {

  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
  private static final long SECOND = 1_000_000_000L;
  private static final TableName T = new TableName("ks", "t");
  private static final TableName U = new TableName("ks", "u");

  private static Asker asker(@Nullable String role, boolean operator) {
    return new Asker("x", role, new TestLane(), null, operator);
  }

  private static RequestFacts request(String role, String shape, RequestFacts.Progress progress) {
    return new RequestFacts(
        11,
        new RequestFacts.Caller(7, new InetSocketAddress("10.0.0.5", 50_000), role, "nightly"),
        "ks",
        "t",
        shape,
        10 * SECOND,
        2 * SECOND,
        progress);
  }

  @Test
  void a_request_shows_its_client_its_progress_and_the_time_that_it_will_need() {
    RequestFacts facts =
        request(
            "etl", "range_read", new RequestFacts.Progress(State.READING, 3, 4, 500, 5_000, 0.2));
    assertThat(
            RequestTables.REQUESTS
                .table(RequestTables.seen(List.of(facts), asker("etl", false), NOON))
                .json())
        .isEqualTo(
            ConsoleTexts.json(
                "id: 11",
                "address: '10.0.0.5'",
                "application: 'nightly'",
                "class: 'range_read'",
                "client: 7",
                "estimated_left_ms: 2000",
                "keyspace_name: 'ks'",
                "pieces: 4",
                "pieces_done: 3",
                "port: 50000",
                "role: 'etl'",
                "rows: 500",
                "rows_wanted: 5000",
                "running_ms: 10000",
                "started: '2026-03-01 11:59:50.000Z'",
                "state: 'reading'",
                "table_name: 't'",
                "waited_ms: 2000"));
  }

  @Test
  void a_request_that_goes_to_one_node_has_no_estimate_and_wants_no_number_of_rows() {
    RequestFacts facts = request("etl", "write", RequestFacts.Progress.whole(State.SENT));
    assertThat(
            RequestTables.REQUESTS
                .table(RequestTables.seen(List.of(facts), asker(null, true), NOON))
                .json())
        .contains("\"estimated_left_ms\":null")
        .contains("\"rows\":0,\"rows_wanted\":null");
  }

  /** Otherwise each look at the table would show itself. */
  @Test
  void the_console_does_not_show_its_own_requests() {
    RequestFacts.Progress sent = RequestFacts.Progress.whole(State.SENT);
    List<RequestFacts> all =
        List.of(request("etl", "proxy", sent), request("etl", "point_read", sent));
    assertThat(RequestTables.seen(all, asker(null, true), NOON))
        .extracting(each -> each.request().shape())
        .containsExactly("point_read");
  }

  @Test
  void a_role_sees_its_own_requests() {
    RequestFacts.Progress sent = RequestFacts.Progress.whole(State.SENT);
    List<RequestFacts> all = List.of(request("etl", "write", sent), request("bob", "write", sent));
    assertThat(RequestTables.seen(all, asker("bob", false), NOON))
        .extracting(each -> each.caller().role())
        .containsExactly("bob");
  }

  private static RuleFacts rule(List<String> roles, @Nullable String datacenter) {
    return new RuleFacts(
        2,
        "few",
        "roles [etl]",
        "rangeReads 4",
        roles,
        datacenter,
        100,
        5,
        50,
        7_000,
        List.of(
            new RuleFacts.LimitFacts(Limit.RANGE_READS, 4, 3),
            new RuleFacts.LimitFacts(Limit.CONNECTIONS, 9, 1)),
        Map.of(Limit.RANGE_READS, 6L, Limit.ACTION, 1L));
  }

  private static Ring ring() {
    NodeId id = new NodeId(new UUID(0, 1));
    NodeId other = new NodeId(new UUID(0, 2));
    InetSocketAddress address = new InetSocketAddress("10.0.0.1", 9042);
    return Ring.of(
        TestPartitioner.ANY,
        "east",
        Map.of(
            id, new Node(id, address, "east", "r", true),
            other, new Node(other, address, "west", "r", true)),
        Map.of());
  }

  @Test
  void a_rule_shows_its_effect_and_its_use() {
    assertThat(
            RuleTables.RULES
                .table(RuleTables.rules(List.of(rule(List.of(), "west")), ring()))
                .json())
        .isEqualTo(
            ConsoleTexts.json(
                "place: 2",
                "effect: 'rangeReads 4'",
                "match: 'roles [etl]'",
                "matched: 100",
                "name: 'few'",
                "problem: null",
                "refused: 7",
                "rows: 7000",
                "waited: 50",
                "waiting: 5"));
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "null",
      value = {"null, null", "east, null", "west, null", "moon, the cluster has no data centre"})
  void a_rule_for_a_data_centre_that_the_cluster_lacks_is_a_problem(
      @Nullable String datacenter, @Nullable String problem) {
    String found = RuleTables.rules(List.of(rule(List.of(), datacenter)), ring()).get(0).problem();
    if (problem == null) {
      assertThat(found).isNull();
    } else {
      assertThat(found).isEqualTo(problem + " moon, but east, west: its reads and writes fail");
    }
  }

  @Test
  void each_limit_of_a_rule_has_a_row() {
    RuleFacts few = rule(List.of(), null);
    assertThat(RuleTables.LIMITS.table(List.of(RuleTables.limits(List.of(few)).get(0))).json())
        .isEqualTo(
            ConsoleTexts.json(
                "name: 'few'",
                "limit_name: 'rangeReads'",
                "allowed: 4.0",
                "match: 'roles [etl]'",
                "refused: 6",
                "used: 3.0"));
    assertThat(RuleTables.LIMITS.table(RuleTables.limits(List.of(few))).json())
        .contains("\"limit_name\":\"connections\",\"allowed\":9.0")
        .as("a limit that has refused nothing")
        .contains("\"refused\":0,\"used\":1.0");
  }

  @Test
  void a_role_sees_the_rules_for_all_and_those_that_name_it() {
    List<RuleFacts> all =
        List.of(rule(List.of(), "1"), rule(List.of("etl", "bob"), "2"), rule(List.of("ann"), "3"));
    assertThat(RuleTables.seen(all, asker("bob", false)))
        .extracting(RuleFacts::datacenter)
        .containsExactly("1", "2");
    assertThat(RuleTables.seen(all, asker("ops", true))).hasSize(3);
    assertThat(RuleTables.seen(all, asker(null, false))).hasSize(1);
  }

  private static KnownDensity known(TableName table, Source source, int ranges, double meanBytes) {
    return new KnownDensity(table, new Origin(source, 3 * SECOND, 1), ranges, 70.6, meanBytes);
  }

  private static String estimate(EstimateFact fact) {
    return EstimatesTable.ESTIMATES.table(List.of(fact)).json();
  }

  @Test
  void an_estimate_shows_what_nodes_have_counted_and_when_they_were_asked() {
    List<EstimateFact> facts =
        EstimatesTable.facts(
            List.of(known(T, Source.NODES, 4, 120.4)),
            Map.of(T, new EstimatesTry(5 * SECOND, "node 5: down")),
            9 * SECOND,
            NOON);
    assertThat(facts).hasSize(1);
    assertThat(estimate(facts.get(0)))
        .isEqualTo(
            ConsoleTexts.json(
                "keyspace_name: 'ks'",
                "table_name: 't'",
                "age_ms: 3000",
                "asked: '2026-03-01 11:59:56.000Z'",
                "error: 'node 5: down'",
                "mean_partition_bytes: 120",
                "partitions: 71",
                "ranges: 4",
                "source: 'nodes'"));
  }

  @Test
  void what_no_node_has_counted_is_null() {
    List<EstimateFact> facts =
        EstimatesTable.facts(List.of(known(T, Source.ANSWERS, 0, 120)), Map.of(), 0, NOON);
    assertThat(estimate(facts.get(0)))
        .contains("\"age_ms\":3000,\"asked\":null,\"error\":null")
        .contains("\"mean_partition_bytes\":null,\"partitions\":null,\"ranges\":null")
        .contains("\"source\":\"answers\"");
  }

  @Test
  void an_unknown_mean_size_is_null() {
    List<EstimateFact> facts =
        EstimatesTable.facts(List.of(known(T, Source.NODES, 4, 0)), Map.of(), 0, NOON);
    assertThat(estimate(facts.get(0)))
        .contains("\"mean_partition_bytes\":null,\"partitions\":71,\"ranges\":4");
  }

  @Test
  void a_table_that_nodes_were_asked_for_in_vain_has_a_row_too() {
    List<EstimateFact> facts =
        EstimatesTable.facts(
            List.of(known(T, Source.NODES, 4, 0)),
            Map.of(U, new EstimatesTry(0, null)),
            SECOND,
            NOON);
    assertThat(facts).extracting(EstimateFact::table).containsExactly(T, U);
    assertThat(estimate(facts.get(1)))
        .contains("\"table_name\":\"u\",\"age_ms\":null")
        .contains("\"asked\":\"2026-03-01 11:59:59.000Z\",\"error\":null")
        .contains("\"source\":\"none\"");
  }
}
