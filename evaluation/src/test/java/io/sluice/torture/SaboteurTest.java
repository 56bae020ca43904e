package io.sluice.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.protocol.internal.ProtocolConstants.ErrorCode;
import io.sluice.cluster.ClusterFailure;
import io.sluice.fake.FakeNode;
import io.sluice.fake.Flaw;
import io.sluice.torture.check.Disturbance;
import io.sluice.torture.load.Journal;
import io.sluice.torture.load.Schema;
import io.sluice.torture.load.Sessions;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Faults of a schedule at processes that record what is done to them. */
class SaboteurTest {
  private static final FakeNode NODE = FakeNode.start();

  @SuppressWarnings("NullAway.Init")
  private static Sessions sessions;

  private final List<String> done = new CopyOnWriteArrayList<>();
  private final List<String> said = new CopyOnWriteArrayList<>();
  private final Journal journal = new Journal();
  private final Saboteur saboteur =
      new Saboteur(new Recorded(), sessions, journal, 1_000, said::add);

  @BeforeAll
  static void open() {
    try (CqlSession direct = NODE.open()) {
      Schema.create(direct, "torture_1", "{'class': 'SimpleStrategy'}");
    }
    sessions =
        new Sessions(
            List.of(List.of(NODE.address())), FakeNode.DATACENTER, "torture_1", answer -> {});
  }

  @AfterAll
  static void closeNode() {
    sessions.close();
    NODE.close();
  }

  @AfterEach
  void close() {
    saboteur.close();
  }

  /** Processes whose third node cannot be started again. */
  private final class Recorded implements Processes {
    @Override
    public Fault.Place targets() {
      return Fault.Place.PROXIES;
    }

    @Override
    public InetSocketAddress address(int node) {
      return InetSocketAddress.createUnresolved("node", node);
    }

    @Override
    public void kill(int node) {
      done.add("kill " + node);
    }

    @Override
    public void restart(int node) {
      if (node == 2) {
        throw new ClusterFailure("node 3 does not start");
      }
      done.add("restart " + node);
    }

    @Override
    public void pause(int node) {
      done.add("pause " + node);
    }

    @Override
    public void resume(int node) {
      done.add("resume " + node);
    }

    @Override
    public void resumeAtOnce(int node) {
      done.add("resume at once " + node);
    }

    @Override
    public void cutGossip(int node) {
      done.add("cut " + node);
    }

    @Override
    public void restoreGossip(int node) {
      done.add("restore " + node);
    }

    @Override
    public void closeToClients(int node) {
      done.add("close " + node);
    }

    @Override
    public void openToClients(int node) {
      done.add("open " + node);
    }

    @Override
    public int join() {
      done.add("join");
      return 3;
    }

    @Override
    public void decommission(int node) {
      done.add("decommission " + node);
    }

    @Override
    public Proxies proxies() {
      return new RecordedProxies();
    }

    @Override
    public void awaitWholeRing() {
      done.add("whole ring");
    }

    @Override
    public void awaitOneSchema() {
      done.add("one schema");
    }
  }

  private final class RecordedProxies implements Proxies {
    @Override
    public InetSocketAddress address(int number) {
      return InetSocketAddress.createUnresolved("proxy", number);
    }

    @Override
    public void kill(int number) {
      done.add("kill proxy " + number);
    }

    @Override
    public void stop(int number) {
      done.add("stop proxy " + number);
    }

    @Override
    public void start(int number) {
      done.add("start proxy " + number);
    }

    @Override
    public void pause(int number) {
      done.add("pause proxy " + number);
    }

    @Override
    public void resume(int number) {
      done.add("resume proxy " + number);
    }
  }

  private static Fault fault(Fault.Kind kind, int which) {
    return new Fault(kind, 0, which, 0);
  }

  private List<Fault> inject(Fault... faults) throws InterruptedException {
    saboteur.start(new Schedule(List.of(faults)));
    return saboteur.await();
  }

  @ParameterizedTest
  @CsvSource({
    "KILL_NODE, kill 1, restart 1",
    "PAUSE_NODE, pause 1, resume 1",
    "HANG_NODE, pause 1, resume 1",
    "DROP_LINKS, close 1, open 1",
    "CUT_GOSSIP, cut 1, restore 1",
    "JOIN_NODE, join, decommission 3",
    "KILL_PROXY, kill proxy 1, start proxy 1",
    "RESTART_PROXY, stop proxy 1, start proxy 1",
    "PAUSE_PROXY, pause proxy 1, resume proxy 1"
  })
  void a_fault_is_done_and_then_mended(Fault.Kind kind, String first, String second)
      throws InterruptedException {
    assertThat(inject(fault(kind, 1))).as("left out").isEmpty();

    assertThat(done).containsExactly(first, second);
  }

  @Test
  void a_slow_node_is_stopped_for_short_times_and_runs_at_the_end() throws InterruptedException {
    inject(new Fault(Fault.Kind.SLOW_NODE, 0, 2, 1));

    assertThat(done).startsWith("pause 2", "resume at once 2").endsWith("whole ring");
    assertThat(done.get(done.size() - 2)).isEqualTo("resume at once 2");
  }

  @ParameterizedTest
  @EnumSource(Fault.Kind.class)
  void a_fault_is_recorded_and_may_close_connections_only_where_clients_are_connected(
      Fault.Kind kind) throws InterruptedException {
    inject(fault(kind, 0));

    assertThat(journal.history().disturbances())
        .extracting(Disturbance::what, Disturbance::closes)
        .containsExactly(tuple(fault(kind, 0).description(), kind.place() == Fault.Place.PROXIES));
    assertThat(journal.history().disturbances())
        .allSatisfy(each -> assertThat(each.to()).isGreaterThanOrEqualTo(each.from()));
    assertThat(said).last().asString().endsWith("mended: " + fault(kind, 0).description());
  }

  @ParameterizedTest
  @CsvSource({"KILL_NODE, node:1", "PAUSE_PROXY, proxy:1", "JOIN_NODE,", "ADD_COLUMN,"})
  void a_fault_is_recorded_with_the_address_of_its_process(
      Fault.Kind kind, @Nullable String address) throws InterruptedException {
    inject(fault(kind, 1));

    assertThat(journal.history().disturbances())
        .extracting(Disturbance::address)
        .containsExactly(address);
  }

  @Test
  void faults_of_one_place_follow_each_other_in_the_order_of_the_schedule()
      throws InterruptedException {
    inject(
        fault(Fault.Kind.KILL_NODE, 0),
        fault(Fault.Kind.PAUSE_NODE, 1),
        fault(Fault.Kind.CUT_GOSSIP, 0));

    assertThat(done)
        .containsExactly("kill 0", "restart 0", "pause 1", "resume 1", "cut 0", "restore 0");
  }

  @Test
  void a_fault_after_the_beginning_of_the_calm_is_left_out() throws InterruptedException {
    Saboteur late = new Saboteur(new Recorded(), sessions, journal, 0, said::add);
    late.start(new Schedule(List.of(fault(Fault.Kind.KILL_NODE, 0))));

    assertThat(late.await()).containsExactly(fault(Fault.Kind.KILL_NODE, 0));
    assertThat(done).isEmpty();
    assertThat(journal.history().disturbances()).isEmpty();
    late.close();
  }

  @Test
  void each_added_column_has_a_name_of_its_own() throws InterruptedException {
    inject(fault(Fault.Kind.ADD_COLUMN, 0), fault(Fault.Kind.ADD_COLUMN, 0));

    assertThat(NODE.texts())
        .containsSubsequence(
            "ALTER TABLE narrow ADD IF NOT EXISTS extra_1 text",
            "ALTER TABLE wide ADD IF NOT EXISTS extra_1 text",
            "ALTER TABLE narrow ADD IF NOT EXISTS extra_2 text",
            "ALTER TABLE wide ADD IF NOT EXISTS extra_2 text");
    assertThat(done).containsExactly("one schema", "one schema");
  }

  @Test
  void a_column_that_cannot_be_added_is_no_failure_of_the_run() throws InterruptedException {
    NODE.spoil("ALTER TABLE wide", 1, Flaw.error(ErrorCode.SERVER_ERROR));

    assertThat(inject(fault(Fault.Kind.ADD_COLUMN, 0))).isEmpty();
    assertThat(said)
        .anyMatch(line -> line.contains("ALTER TABLE wide") && line.contains("ServerError"));
  }

  @Test
  void a_node_that_does_not_start_again_ends_the_run_with_its_reason() {
    assertThatThrownBy(() -> inject(fault(Fault.Kind.KILL_NODE, 2)))
        .isInstanceOf(ClusterFailure.class)
        .hasMessage("node 3 does not start");
    assertThat(done).containsExactly("kill 2");
  }
}
