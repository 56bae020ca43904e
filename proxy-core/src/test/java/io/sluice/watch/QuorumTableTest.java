package io.sluice.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ring.Estimates;
import io.sluice.ring.NodeId;
import io.sluice.testkit.FakeCassandra;
import io.sluice.watch.FleetTables.FleetTable;
import io.sluice.wire.SchemaChange;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The table of the fleet when it does not exist: each query fails with a message that says what to
 * do.
 */
class QuorumTableTest {
  private static final UUID ID = new UUID(0, 1);

  /** Ignores all events. */
  private static final class Deaf implements WatchListener {
    @Override
    public void changed(ClusterView view) {}

    @Override
    public void schemaChanged(SchemaChange change) {}

    @Override
    public void estimated(Estimates news) {}

    @Override
    public void agentReported(NodeId node, @Nullable AgentReport report) {}
  }

  private static Throwable failure(CompletionStage<?> asked) throws Exception {
    try {
      asked.toCompletableFuture().get(30, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      return e.getCause();
    }
    throw new AssertionError("answered");
  }

  @Test
  void the_message_about_a_missing_table_names_the_command_that_creates_it() throws Exception {
    try (FakeCassandra node = new FakeCassandra(ID, "here", 0);
        ClusterWatcher watcher =
            ClusterWatcher.start(
                new ClusterConfig(List.of(node.address()), "here", null, Duration.ofSeconds(10)),
                new Deaf())) {
      FleetTable table = watcher.fleet().proxies();
      FleetTable.Row row = new FleetTable.Row(ID, node.address(), 1);

      for (CompletionStage<?> asked : List.of(table.read(), table.write(row, 1))) {
        assertThat(failure(asked))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("unconfigured table")
            .hasMessageEndingWith("; `sluice fleet init` creates it");
      }
    }
  }

  @Test
  void a_grant_names_the_role_whatever_it_is_called() {
    assertThat(Grant.FLEET.to("a \"b\""))
        .isEqualTo("GRANT SELECT, MODIFY ON KEYSPACE sluice TO \"a \"\"b\"\"\"");
  }
}
