package io.sluice.watch;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.sluice.ring.TableName;
import io.sluice.time.TestLane;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests the schema as a round of {@link SchemaSettling} reads it, over a fake session. */
class ClusterSchemaTest {

  private static final TableName CARDS = new TableName("shop", "cards");
  private static final TableName USERS = new TableName("shop", "users");

  private final DriverMetadata driver = new DriverMetadata();
  private final Node a = driver.node(1, "here", "rack");
  private final Node b = driver.node(2, "here", "rack");
  private final Map<Node, @Nullable UUID> versions = new HashMap<>();
  private final List<TableName> masked = new ArrayList<>(List.of(CARDS));
  private final TestLane lane = new TestLane();
  private boolean maskedFails;
  private final List<String> heard = new ArrayList<>();
  private final FakeSession cql = new FakeSession(driver);
  private final ClusterSchema schema = schema();

  private ClusterSchema schema() {
    cql.does(this::answer);
    return new ClusterSchema(
        new LocalNodes(cql::driver, "here"), new Refusals(null), lane, () -> heard.add("look"));
  }

  private CompletionStage<AsyncResultSet> answer(SimpleStatement statement) {
    if (statement.getQuery().contains("column_masks") && maskedFails) {
      return CompletableFuture.failedFuture(new IllegalStateException("busy"));
    } else if (statement.getQuery().contains("column_masks")) {
      NodeRows rows = new NodeRows("keyspace_name text, table_name text");
      masked.forEach(each -> rows.row(each.keyspace(), each.name()));
      return CompletableFuture.completedFuture(rows);
    }
    UUID version = versions.get(statement.getNode());
    return version == null
        ? CompletableFuture.failedFuture(new IllegalStateException("down"))
        : CompletableFuture.completedFuture(new NodeRows("schema_version uuid").row(version));
  }

  private void versions(@Nullable Integer ofA, @Nullable Integer ofB) {
    versions.put(a, ofA == null ? null : new UUID(1, ofA));
    versions.put(b, ofB == null ? null : new UUID(1, ofB));
  }

  private boolean agree() {
    CompletableFuture<Boolean> agree = schema.agree().toCompletableFuture();
    lane.runSoon();
    return agree.getNow(false);
  }

  private void read() {
    CompletableFuture<?> read = schema.read().toCompletableFuture();
    lane.runSoon();
    assertThat(read).isCompleted();
  }

  @Test
  void nodes_agree_when_they_have_the_same_schema_version() {
    versions(1, 2);
    assertThat(agree()).isFalse();
    versions(2, 2);
    assertThat(agree()).isTrue();
    assertThat(schema.allHeard()).isTrue();
    assertThat(cql.last().getQuery()).isEqualTo("SELECT schema_version FROM system.local");
  }

  @Test
  void a_node_that_fails_is_silent_and_is_not_asked_for_masks() {
    versions(null, 1);
    assertThat(agree()).isTrue();
    assertThat(schema.allHeard()).isFalse();
    read();
    assertThat(cql.last().getQuery()).contains("column_masks");
    assertThat(cql.last().getNode()).isSameAs(b);
  }

  @Test
  void the_masked_tables_are_known_before_the_first_round() {
    assertThat(schema.masked()).containsExactly(CARDS);
    assertThat(heard).isEmpty();
  }

  private static long millis(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }

  private void readFails() {
    CompletableFuture<?> read = schema.read().toCompletableFuture();
    lane.runSoon();
    assertThat(read).isDone();
  }

  @Test
  void a_read_that_fails_is_due_again_after_a_growing_pause() {
    versions(1, 1);
    assertThat(schema.isReadDue(0)).isFalse();
    cql.failsSchemaReads(new IllegalStateException("busy"));
    readFails();
    assertThat(schema.isReadDue(0)).isTrue();
    assertThat(schema.isReadDue(millis(199))).isFalse();
    assertThat(schema.isReadDue(millis(200))).isTrue();
    assertThat(schema.isReadDue(millis(599))).isFalse();
    assertThat(schema.isReadDue(millis(600))).isTrue();
    cql.failsSchemaReads(null);
    read();
    assertThat(schema.isReadDue(millis(60_000))).isFalse();
  }

  @Test
  void masks_that_could_not_be_read_are_read_again() {
    versions(1, 1);
    maskedFails = true;
    read();
    assertThat(schema.isReadDue(0)).isTrue();
    maskedFails = false;
    masked.add(USERS);
    read();
    assertThat(schema.isReadDue(millis(60_000))).isFalse();
    assertThat(schema.masked()).containsExactlyInAnyOrder(CARDS, USERS);
  }

  @Test
  void the_listener_hears_of_each_read_and_of_new_masks() {
    versions(1, 1);
    read();
    assertThat(heard).as("after the read").hasSize(1);
    masked.add(USERS);
    schema.readMasks();
    lane.runSoon();
    assertThat(heard).as("after new masks").hasSize(2);
    assertThat(schema.masked()).containsExactlyInAnyOrder(CARDS, USERS);
    schema.readMasks();
    lane.runSoon();
    assertThat(heard).as("after the same masks").hasSize(2);
  }
}
