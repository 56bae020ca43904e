package io.sluice.evaluate.bed;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import io.sluice.cluster.ClusterSpec;
import io.sluice.evaluate.drive.Check;
import io.sluice.evaluate.drive.ClosedLoop;
import io.sluice.evaluate.drive.LoadTime;
import io.sluice.evaluate.drive.Mix;
import io.sluice.evaluate.drive.Observed;
import io.sluice.evaluate.drive.RequestClass;
import io.sluice.evaluate.drive.Tables;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A node dies during a measurement. There is no proxy, because the module cannot build one. */
class EndedNodesIT {
  private static final Path DIR =
      Path.of(System.getProperty("sluice.it.dir", "target"), "cluster-bed");

  @Test
  @Tag("long")
  void a_node_that_was_killed_is_named_and_serves_again() throws Exception {
    try (TestBed bed = TestBed.start(spec(), line -> {}, rows -> {})) {
      List<String> ended = new ArrayList<>();
      assertThat(bed.startEndedNodes(ended::add)).isFalse();
      assertThat(ended).isEmpty();

      kill(DIR.resolve("node2"));

      bed.collectGarbage();
      assertThat(bed.startEndedNodes(ended::add)).isTrue();
      assertThat(ended).singleElement().asString().startsWith("node 2 (").contains("log ends with");
      assertThat(bed.startEndedNodes(ended::add)).isFalse();
      Observed seen = askAllReplicas(bed.targets().get(0));
      assertThat(seen.of(RequestClass.SINGLE).failures()).isEmpty();
      assertThat(seen.of(RequestClass.SINGLE).inTime()).isPositive();
    }
  }

  private static BedSpec spec() {
    ClusterSpec cluster =
        ClusterSpec.defaults()
            .withDir(DIR)
            .withNodes(2, 2)
            // Faster start: the node lives for a minute.
            .withJvmArg("-XX:TieredStopAtLevel=1")
            .withPorts(
                Integer.getInteger("sluice.it.port", 26_042),
                Integer.getInteger("sluice.it.storagePort", 26_500));
    return new BedSpec(
        cluster,
        List.of(),
        2,
        List.of(Variant.DIRECT),
        1,
        DIR.resolve("proxies"),
        null,
        3,
        200,
        1,
        List.of());
  }

  private static void kill(Path node) throws Exception {
    ProcessHandle process =
        ProcessHandle.current()
            .descendants()
            .filter(p -> p.info().commandLine().orElse("").contains(node + "/jvm.args"))
            .findAny()
            .orElseThrow();
    process.destroyForcibly();
    process.onExit().get(10, TimeUnit.SECONDS);
  }

  private static Observed askAllReplicas(TestBed.Target target) throws InterruptedException {
    return new ClosedLoop(
            target
                .tables()
                .mix(
                    new Mix(1, 0, 0, 1, false),
                    new Tables.Levels(ConsistencyLevel.ALL, ConsistencyLevel.ALL),
                    Check.COUNTS))
        .run(4, new LoadTime(Duration.ZERO, Duration.ofSeconds(1)), 1);
  }
}
