package io.sluice.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import com.datastax.oss.driver.internal.core.metadata.DefaultNode;
import com.datastax.oss.protocol.internal.Message;
import com.datastax.oss.protocol.internal.request.Query;
import com.datastax.oss.protocol.internal.response.result.Void;
import io.sluice.testkit.FakeCassandra;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the creation of the keyspace of the fleet in a cluster of two data centres. */
class FleetKeyspaceTest {

  private static final String STRATEGY = "org.apache.cassandra.locator.NetworkTopologyStrategy";
  private static final UUID OLD = new UUID(7, 7);
  private static final UUID NEW = new UUID(8, 8);
  private static final String NOTHING = "Nothing was changed";
  private static final String CREATED =
      "The keyspace was created; proxies with cql.peers: keyspace find it within a second";
  private static final String EXISTED = "The keyspace existed; what was missing has been added";
  private static final List<String> COLUMNS =
      List.of("datacenter", "instance", "address", "port", "beat", "secret", "demand");

  private final DriverMetadata cluster = new DriverMetadata();
  private final DefaultNode here = cluster.node(1, "here", "rack", 0);
  private final DefaultNode there = cluster.node(2, "there", "rack", 1);
  private final FakeSession cql = new FakeSession(cluster);
  private final List<SimpleStatement> changes = new ArrayList<>();
  private final List<String> output = new ArrayList<>();
  private final Map<Node, @Nullable UUID> versions = new HashMap<>();
  private @Nullable DriverException refusal;
  private @Nullable Map<String, String> replication;
  private List<String> columns = List.of();

  /** The number of times that the condition has been looked at. */
  private int looks;

  /** What happens before each look at the condition but the first. */
  private Runnable meanwhile = () -> {};

  @BeforeEach
  void serve() {
    versions.put(here, NEW);
    versions.put(there, NEW);
    cql.does(this::answer);
  }

  private CompletionStage<AsyncResultSet> answer(SimpleStatement statement) {
    String text = statement.getQuery();
    if (text.startsWith("CREATE") || text.startsWith("ALTER")) {
      changes.add(statement);
      return refusal == null
          ? rows(new NodeRows("k int"))
          : CompletableFuture.failedFuture(refusal);
    } else if (text.equals("SELECT schema_version FROM system.local")) {
      Node node = statement.getNode();
      return versions.containsKey(node)
          ? rows(new NodeRows("schema_version uuid").row(versions.get(node)))
          : CompletableFuture.failedFuture(new DriverTimeoutException("slow"));
    } else if (text.startsWith("SELECT replication FROM system_schema.keyspaces")) {
      assertThat(statement.getPositionalValues()).containsExactly("sluice");
      NodeRows found = new NodeRows("replication map");
      return rows(replication == null ? found : found.row(replication));
    }
    assertThat(text).startsWith("SELECT column_name FROM system_schema.columns");
    assertThat(statement.getPositionalValues()).containsExactly("sluice", "proxies");
    NodeRows found = new NodeRows("column_name text");
    columns.forEach(found::row);
    return rows(found);
  }

  private CompletionStage<AsyncResultSet> rows(NodeRows rows) {
    return CompletableFuture.completedFuture(rows.from(there));
  }

  private FleetKeyspace keyspace(String datacenter) {
    ClusterConfig config =
        new ClusterConfig(
            FleetSessionTest.config(null).contactPoints(), datacenter, null, Duration.ofSeconds(1));
    return new FleetKeyspace(
        config,
        output::add,
        () -> cql,
        (condition, atMost) -> {
          assertThat(atMost).isEqualTo(Duration.ofSeconds(30));
          while (looks++ < 5) {
            if (condition.getAsBoolean()) {
              return true;
            }
            meanwhile.run();
          }
          return false;
        });
  }

  private void init(@Nullable Map<String, Integer> copies, boolean applies, @Nullable String role)
      throws IOException, InterruptedException {
    keyspace("here").init(copies, applies, role);
  }

  private void hasKeyspace(String copies) {
    replication = Map.of("class", STRATEGY, "here", copies);
    columns = COLUMNS;
  }

  private List<String> changed() {
    return changes.stream().map(SimpleStatement::getQuery).toList();
  }

  private static List<String> all(int copies) {
    return Stream.concat(
            Stream.of(new FleetSchema(Map.of("here", copies)).keyspace()),
            FleetSchema.tables().stream())
        .toList();
  }

  private static List<String> and(List<String> lines, String... more) {
    return Stream.concat(lines.stream(), Stream.of(more)).toList();
  }

  @Test
  void the_keyspace_and_its_tables_are_created_in_order() throws Exception {
    init(Map.of("here", 1), true, null);
    assertThat(changed()).isEqualTo(all(1));
    assertThat(output).isEqualTo(and(all(1), CREATED));
    assertThat(cql.isClosed()).isTrue();
  }

  @Test
  void without_changes_the_statements_are_only_reported() throws Exception {
    init(Map.of("here", 1), false, null);
    assertThat(changes).isEmpty();
    assertThat(output).isEqualTo(and(all(1), NOTHING));
    assertThat(looks).as("no agreement is awaited").isZero();
  }

  @Test
  void the_role_of_the_proxies_is_named_with_the_statements_that_grant_what_it_needs()
      throws Exception {
    init(Map.of("here", 1), false, "proxy");
    assertThat(output)
        .endsWith(
            NOTHING,
            "In a cluster that checks permissions, the role of the proxies needs only:",
            "GRANT SELECT, MODIFY ON KEYSPACE sluice TO \"proxy\"",
            "GRANT SELECT ON system_views.thread_pools TO \"proxy\"",
            "GRANT SELECT ON system_views.settings TO \"proxy\"",
            "GRANT SELECT ON system.\"IndexInfo\" TO \"proxy\"");
    assertThat(changes).as("they are not executed").isEmpty();
  }

  @Test
  void a_keyspace_that_exists_keeps_its_replication_and_gets_missing_tables() throws Exception {
    hasKeyspace("1");
    init(null, true, null);
    assertThat(changed()).isEqualTo(FleetSchema.tables());
    assertThat(output).isEqualTo(and(FleetSchema.tables(), EXISTED));
  }

  @Test
  void the_same_replication_may_be_given_again() throws Exception {
    hasKeyspace("1");
    init(Map.of("here", 1), true, null);
    assertThat(output).isEqualTo(and(all(1), EXISTED));
  }

  @Test
  void a_table_of_an_earlier_version_gets_the_missing_columns() throws Exception {
    hasKeyspace("1");
    columns = List.of("datacenter", "instance", "address", "port", "beat");
    init(null, true, null);
    assertThat(changed())
        .isEqualTo(
            and(
                FleetSchema.tables(),
                "ALTER TABLE sluice.proxies ADD demand text",
                "ALTER TABLE sluice.proxies ADD secret uuid"));
  }

  /** The table that the statements before create has all columns. */
  @Test
  void a_table_that_does_not_exist_gets_no_columns() throws Exception {
    init(Map.of("here", 1), true, null);
    assertThat(changed()).noneMatch(each -> each.startsWith("ALTER"));
  }

  private void assertRefused(@Nullable Map<String, Integer> copies, String... words) {
    assertThatThrownBy(() -> init(copies, true, null))
        .isExactlyInstanceOf(IOException.class)
        .satisfies(thrown -> assertThat(thrown.getMessage()).contains(words));
    assertThat(changes).isEmpty();
    assertThat(output).isEmpty();
    assertThat(cql.isClosed()).isTrue();
  }

  @Test
  void a_keyspace_that_does_not_exist_needs_a_replication_and_one_is_proposed() {
    assertRefused(
        null,
        "--replication is missing: how many nodes of each data centre hold the rows.",
        "The cluster has here with 1 nodes, there with 1 nodes: --replication here:1,there:1");
  }

  @Test
  void a_replication_that_the_cluster_cannot_have_is_refused_with_all_faults() {
    assertRefused(
        Map.of("moon", 1, "here", 2),
        "--replication here:2,moon:1: here has 1 nodes and cannot have 2 copies;"
            + " moon is not a data centre of the cluster");
  }

  @Test
  void an_existing_keyspace_is_not_changed_to_another_replication() {
    hasKeyspace("3");
    assertRefused(
        Map.of("here", 1),
        "the keyspace exists with another replication, {class="
            + STRATEGY
            + ", here=3}, which stays unchanged. To change it: ALTER KEYSPACE sluice WITH"
            + " replication = {'class': 'NetworkTopologyStrategy', 'here': 1}");
  }

  @Test
  void a_data_centre_that_the_cluster_lacks_is_a_fault_of_the_configuration() {
    assertThatThrownBy(() -> keyspace("moon").init(Map.of("here", 1), true, null))
        .isInstanceOf(ClusterMismatch.class)
        .hasMessage("cluster.localDatacenter is moon, but the cluster has here, there");
    assertThat(changes).isEmpty();
  }

  @Test
  void a_statement_that_a_node_refuses_ends_it_with_the_nodes_words() {
    refusal = new UnauthorizedException(there, "no CREATE permission");
    assertThatThrownBy(() -> init(Map.of("here", 1), true, null))
        .isExactlyInstanceOf(IOException.class)
        .hasMessage("the cluster cannot be queried: no CREATE permission")
        .hasCause(refusal);
    assertThat(changes).as("the next ones are not sent").hasSize(1);
    assertThat(output).hasSize(1);
  }

  /** Another node might not know the new keyspace yet. */
  @Test
  void all_statements_go_to_the_node_that_has_run_the_first() throws Exception {
    init(Map.of("here", 1), true, null);
    assertThat(changes).extracting(SimpleStatement::getNode).containsExactly(null, there, there);
    assertThat(changes).allMatch(each -> Duration.ofSeconds(30).equals(each.getTimeout()));
  }

  @Test
  void it_ends_when_all_nodes_have_the_change() throws Exception {
    versions.put(here, OLD);
    meanwhile = () -> versions.put(here, looks < 3 ? OLD : NEW);
    init(Map.of("here", 1), true, null);
    assertThat(looks).isEqualTo(4);
    assertThat(output).last().isEqualTo(CREATED);
  }

  @Test
  void a_change_that_does_not_reach_all_nodes_in_time_is_a_failure() {
    versions.put(here, OLD);
    assertThatThrownBy(() -> init(Map.of("here", 1), true, null))
        .isExactlyInstanceOf(IOException.class)
        .hasMessage("not all nodes have the change after 30 s");
    assertThat(output).isEqualTo(all(1));
  }

  @Test
  void a_node_that_is_down_or_does_not_answer_or_knows_no_version_is_not_awaited()
      throws Exception {
    versions.put(here, OLD);
    DriverMetadata.set(here, "state", NodeState.DOWN);
    init(Map.of("here", 1), true, null);
    DriverMetadata.set(here, "state", NodeState.UP);
    versions.remove(here);
    init(Map.of("here", 1), true, null);
    versions.put(here, null);
    init(Map.of("here", 1), true, null);
    assertThat(looks).isEqualTo(3);
  }

  private static @Nullable Message served(String text, List<String> changes) {
    if (text.startsWith("CREATE")) {
      changes.add(text);
      return Void.INSTANCE;
    } else if (text.startsWith("SELECT replication FROM")) {
      return new NodeRows("replication map").message();
    }
    return text.startsWith("SELECT column_name FROM")
        ? new NodeRows("column_name text").message()
        : null;
  }

  @Test
  void the_keyspace_is_created_through_the_real_driver() throws Exception {
    List<String> asked = new CopyOnWriteArrayList<>();
    try (FakeCassandra node = new FakeCassandra(new UUID(0, 1), "here", 0)) {
      node.serve(request -> request instanceof Query query ? served(query.query, asked) : null);
      ClusterConfig config =
          new ClusterConfig(List.of(node.address()), "here", null, Duration.ofSeconds(1));
      new FleetKeyspace(config, output::add).init(Map.of("here", 1), true, null);
    }
    assertThat(asked).isEqualTo(all(1));
    assertThat(output).last().isEqualTo(CREATED);
  }
}
