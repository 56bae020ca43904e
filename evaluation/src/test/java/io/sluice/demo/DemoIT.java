package io.sluice.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.sluice.cluster.ClusterSpec;
import io.sluice.cluster.LocalCluster;
import io.sluice.testkit.FreePorts;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoIT {
  private static final Mix MIX = new Mix(8, 0.5, 50, 500);

  @TempDir private Path temp = Path.of("");

  @Test
  void the_mix_reads_the_rows_that_were_loaded() throws IOException, InterruptedException {
    ClusterSpec spec =
        ClusterSpec.defaults()
            .withDir(temp.resolve("cluster"))
            .withNodes(1, 1)
            // Faster start: the node lives for seconds.
            .withJvmArg("-XX:TieredStopAtLevel=1")
            .withPorts(FreePorts.next(), FreePorts.next());
    try (LocalCluster cluster = LocalCluster.start(spec, line -> {});
        CqlSession session =
            new Target(Target.CASSANDRA, cluster.contactPoints(), cluster.datacenter()).open(MIX)) {
      DemoTable table = new DemoTable(session);
      table.create(cluster.replication());
      table.load(MIX.rows(), new ProgressBar(new PrintWriter(Writer.nullWriter()), false, "", 500));
      assertThat(session.execute("SELECT k FROM demo.t").all()).hasSize(500);

      List<RoundResult> meanwhile = new ArrayList<>();
      List<RoundResult> results =
          new LoadRound(session, MIX)
              .run(
                  "cassandra", Duration.ofMillis(500), Duration.ofSeconds(3), 1, meanwhile::addAll);

      assertThat(meanwhile).extracting(RoundResult::readClass).startsWith("point", "range");

      assertThat(results).extracting(RoundResult::readClass).containsExactly("point", "range");
      assertThat(results)
          .allSatisfy(
              r -> {
                assertThat(r.errors()).isZero();
                assertThat(r.count()).isPositive();
                assertThat(r.throughput()).isPositive();
                assertThat(r.p50Ms()).isLessThanOrEqualTo(r.p99Ms());
                assertThat(r.p99Ms()).isLessThanOrEqualTo(r.maxMs());
              });
    }
  }
}
