package io.sluice.torture.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.protocol.internal.ProtocolConstants.ErrorCode;
import io.sluice.fake.FakeNode;
import io.sluice.fake.Flaw;
import io.sluice.torture.check.Checker;
import io.sluice.torture.check.History;
import io.sluice.torture.check.Operation;
import io.sluice.torture.check.Scan;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** All clients of a run together, each on its thread, at a node in memory. */
class WorkloadTest {
  private final FakeNode node = FakeNode.start();
  private final CqlSession direct = node.open();
  private final Journal journal = new Journal();

  @SuppressWarnings("NullAway.Init")
  private Sessions sessions;

  @SuppressWarnings("NullAway.Init")
  private Workload workload;

  @BeforeEach
  void open() {
    Schema.create(direct, "torture_1", "{'class': 'SimpleStrategy'}");
    sessions =
        new Sessions(
            List.of(List.of(node.address())), FakeNode.DATACENTER, "torture_1", journal::onSurplus);
    workload = new Workload(3, sessions, journal);
  }

  @AfterEach
  void close() {
    workload.close();
    sessions.close();
    direct.close();
    node.close();
  }

  @Test
  void a_run_on_a_right_store_has_every_kind_of_operation_and_no_violation()
      throws InterruptedException {
    assertThat(workload.load()).isTrue();
    assertThat(journal.asked()).as("writes of all rows").isEqualTo(1200);
    CountDownLatch some = node.executed("", 400);
    workload.start();
    some.await();
    workload.end();
    long asked = journal.asked();
    workload.readAll();

    History history = journal.history();
    assertThat(history.asked()).isEqualTo(history.operations().size()).isGreaterThan(asked);
    assertThat(new Checker(0, 1_000_000).judge(history).violations()).isEmpty();
    assertThat(history.operations().stream().map(each -> each.call().client()).distinct())
        .as("clients")
        .containsExactlyInAnyOrderElementsOf(
            LongStream.range(0, 23).mapToObj(client -> (int) client).toList());
    assertThat(history.scans().stream().filter(Scan::whole).count())
        .as("whole scans at the end")
        .isGreaterThanOrEqualTo(4);
    assertThat(history.all(Operation.Read.class)).hasSizeGreaterThanOrEqualTo(1200);
    assertThat(history.all(Operation.CounterRead.class)).hasSizeGreaterThanOrEqualTo(12);
    assertThat(history.all(Operation.ListRead.class)).hasSizeGreaterThanOrEqualTo(12);
    assertThat(history.all(Operation.SerialRead.class)).hasSizeGreaterThanOrEqualTo(6);
  }

  @Test
  void a_run_does_not_begin_without_all_its_rows() throws InterruptedException {
    node.spoil(Text.PUT_WIDE.cql(), 1, Flaw.error(ErrorCode.WRITE_FAILURE));

    assertThat(workload.load()).isFalse();
  }
}
