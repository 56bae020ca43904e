package io.sluice.evaluate.bed;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cluster.ClusterSpec;
import io.sluice.evaluate.drive.Check;
import io.sluice.evaluate.drive.ClosedLoop;
import io.sluice.evaluate.drive.Data;
import io.sluice.evaluate.drive.LoadTime;
import io.sluice.evaluate.drive.Mix;
import io.sluice.evaluate.drive.Observed;
import io.sluice.evaluate.drive.Partitions;
import io.sluice.evaluate.drive.RequestClass;
import io.sluice.evaluate.drive.Requests;
import io.sluice.evaluate.drive.Tables;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every kind of request of the matrix, at a real node that requires a login. */
@Tag("long")
class RequestsIT {
  private static final Path DIR =
      Path.of(System.getProperty("sluice.it.dir", "target"), "cluster-requests");
  private static final Mix HALVES = new Mix(0.5, 0.5, 0, 10, false);

  @Test
  void every_answer_is_right_row_by_row_until_a_row_is_lost() throws Exception {
    try (TestBed bed = TestBed.start(spec(), line -> {}, rows -> {})) {
      TestBed.Target target = bed.targets().get(0);
      Partitions.Shape shape = new Partitions.Shape("wide", 6000);
      bed.fill(
          shape.keyspace(),
          (session, replication) -> Partitions.load(session, shape, replication, rows -> {}));
      Data small = bed.data().elsewhere("small", 3, 20);
      bed.fill(small, rows -> {});

      allRight(target.tables().scans(Check.ALL_ROWS), RequestClass.SCAN);
      allRight(target.tables().counts(), RequestClass.COUNT);
      allRight(target.tables().lists(20, Check.ALL_ROWS), RequestClass.LIST);
      Requests partitions = new Partitions(target.session(), shape, Check.ALL_ROWS);
      allRight(partitions, RequestClass.NARROW, RequestClass.WIDE);
      allRight(mix(new Tables(target.session(), small)), RequestClass.SINGLE, RequestClass.RANGE);
      allRight(mix(bed.as("reader", target)), RequestClass.SINGLE, RequestClass.RANGE);

      target.session().execute("DELETE FROM wide.w WHERE k = 5 AND c = 50");
      target.session().execute("TRUNCATE sluice_evaluate.t0");
      assertThat(run(partitions).of(RequestClass.NARROW).failures()).containsOnlyKeys("SHORT_READ");
      assertThat(run(target.tables().scans(Check.COUNTS)).of(RequestClass.SCAN).failures())
          .containsOnlyKeys("SHORT_READ");
      assertThat(run(target.tables().counts()).of(RequestClass.COUNT).failures())
          .containsOnlyKeys("SHORT_READ");
      assertThat(run(target.tables().lists(2, Check.COUNTS)).of(RequestClass.LIST).failures())
          .containsOnlyKeys("SHORT_READ");
    }
  }

  private static Requests mix(Tables tables) {
    return tables.mix(HALVES, Tables.Levels.ONE, Check.ALL_ROWS);
  }

  private static void allRight(Requests requests, RequestClass... classes)
      throws InterruptedException {
    Observed seen = run(requests);
    for (RequestClass of : classes) {
      assertThat(seen.of(of).failures()).as(of.label()).isEmpty();
      assertThat(seen.of(of).inTime()).as(of.label()).isPositive();
    }
  }

  private static Observed run(Requests requests) throws InterruptedException {
    return new ClosedLoop(requests).run(8, new LoadTime(Duration.ZERO, Duration.ofSeconds(2)), 1);
  }

  private static BedSpec spec() {
    ClusterSpec cluster =
        ClusterSpec.defaults()
            .withDir(DIR)
            .withNodes(1, 1)
            // Faster start: the node lives for a minute.
            .withJvmArg("-XX:TieredStopAtLevel=1")
            .withPorts(
                Integer.getInteger("sluice.it.port", 26_042),
                Integer.getInteger("sluice.it.storagePort", 26_500));
    return new BedSpec(
            cluster,
            List.of(),
            1,
            List.of(Variant.DIRECT),
            1,
            DIR.resolve("proxies"),
            null,
            1,
            200,
            1,
            List.of())
        .withLogin();
  }
}
