package io.sluice.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The life cycle of a node's process, with a shell script instead of a JVM. */
@Timeout(120)
@DisabledOnOs(OS.WINDOWS)
class NodeProcessTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @TempDir private Path temp = Path.of("");

  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void endAll() {
    started.forEach(Process::destroyForcibly);
  }

  private NodePlan plan(int index) {
    return new NodePlan(
        index, "127.0.0.1", 19_042, 17_000, List.of(), false, temp.resolve("node" + (index + 1)));
  }

  /** Starts a process with the plan's argument file on its command line, like a node's JVM. */
  private Process script(NodePlan plan, String body) throws IOException {
    Process process = new ProcessBuilder("sh", "-c", body, "sh", "@" + plan.jvmArgs()).start();
    started.add(process);
    return process;
  }

  private NodeProcess running(int index) throws IOException {
    NodeProcess node = new NodeProcess(plan(index));
    node.started(script(node.plan(), "while :; do sleep 0.1; done"));
    return node;
  }

  private static String stateOf(long pid) throws IOException {
    String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
    return stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[0];
  }

  @Test
  void a_node_that_was_never_started_has_no_process() {
    NodeProcess node = new NodeProcess(plan(0));

    assertThat(node.pid()).isEqualTo(-1);
    assertThat(node.alive()).isFalse();
    assertThatCode(node::stop).doesNotThrowAnyException();
    assertThatCode(node::kill).doesNotThrowAnyException();
  }

  @Test
  void a_started_node_lives_until_it_is_stopped() throws Exception {
    NodeProcess node = running(0);
    assertThat(node.alive()).isTrue();
    assertThat(node.pid()).isEqualTo(started.get(0).pid());

    node.stop();

    assertThat(node.alive()).isFalse();
    assertThat(started.get(0).waitFor(60, TimeUnit.SECONDS)).isTrue();
  }

  /**
   * Starts a node that writes {@code orderly} when it stops cleanly, and waits until it listens for
   * the signal.
   */
  private NodeProcess stoppingCleanly() throws IOException {
    String body =
        "trap 'echo orderly > %s; exit 0' TERM; echo up > %s; while :; do sleep 0.1; done";
    Path up = temp.resolve("up");
    NodeProcess node = new NodeProcess(plan(0));
    node.started(script(node.plan(), body.formatted(temp.resolve("orderly"), up)));
    assertThat(Waiting.until(LIMIT, () -> Files.exists(up))).isTrue();
    return node;
  }

  @Test
  void a_stop_lets_the_node_stop_cleanly() throws IOException {
    NodeProcess node = stoppingCleanly();

    node.stop();

    assertThat(temp.resolve("orderly")).exists();
    assertThat(node.alive()).isFalse();
  }

  @Test
  void a_kill_does_not_let_the_node_stop_cleanly() throws IOException {
    NodeProcess node = stoppingCleanly();

    node.kill();

    assertThat(temp.resolve("orderly")).doesNotExist();
    assertThat(node.alive()).isFalse();
  }

  @Test
  void a_paused_node_is_alive_and_does_nothing() throws IOException {
    NodeProcess node = running(0);

    node.pause();

    assertThat(node.paused()).isTrue();
    assertThat(node.alive()).isTrue();
    assertThat(Waiting.until(LIMIT, () -> state(node).equals("T"))).isTrue();
    node.resume();
    assertThat(node.paused()).isFalse();
    assertThat(Waiting.until(LIMIT, () -> !state(node).equals("T"))).isTrue();
  }

  private static String state(NodeProcess node) {
    try {
      return stateOf(node.pid());
    } catch (IOException e) {
      return "gone";
    }
  }

  @Test
  void a_paused_node_that_is_stopped_resumes_and_stops_cleanly() throws IOException {
    NodeProcess node = stoppingCleanly();
    node.pause();

    node.stop();

    assertThat(temp.resolve("orderly")).exists();
    assertThat(node.alive()).isFalse();
    assertThat(node.paused()).isFalse();
  }

  @Test
  void a_node_that_is_down_cannot_be_paused() {
    NodeProcess node = new NodeProcess(plan(1));

    assertThatThrownBy(node::pause)
        .isInstanceOf(ClusterFailure.class)
        .hasMessage("node 2 (127.0.0.1:19042) is not running");
    assertThat(node.paused()).isFalse();
  }

  @Test
  void several_nodes_are_killed_at_once() throws IOException {
    NodeProcess one = running(0);
    NodeProcess paused = running(1);
    paused.pause();

    NodeProcess.killAll(List.of(one, paused, new NodeProcess(plan(2))));

    assertThat(one.alive()).isFalse();
    assertThat(paused.alive()).isFalse();
    assertThat(paused.paused()).isFalse();
  }

  @Test
  void a_process_of_an_earlier_run_is_taken_over_by_its_id() throws IOException {
    NodeProcess earlier = running(0);
    NodeProcess later = new NodeProcess(plan(0));

    later.attach(earlier.pid());

    assertThat(later.alive()).isTrue();
    assertThat(later.pid()).isEqualTo(earlier.pid());
    later.kill();
    assertThat(earlier.alive()).isFalse();
  }

  @Test
  void a_process_of_another_node_or_program_is_not_taken_over() throws IOException {
    NodeProcess other = running(1);
    NodeProcess node = new NodeProcess(plan(0));

    node.attach(other.pid());
    assertThat(node.alive()).isFalse();
    node.attach(ProcessHandle.current().pid());
    assertThat(node.alive()).isFalse();
    node.attach(-1);

    assertThat(node.pid()).isEqualTo(-1);
  }

  @Test
  void a_node_that_ended_while_starting_is_named_with_its_exit_code_and_its_log() throws Exception {
    NodeProcess node = new NodeProcess(plan(0));
    Files.createDirectories(node.plan().dir());
    Files.writeString(
        node.plan().log(), "INFO begin\nERROR no disk\n\tat a.B(B.java:1)\nINFO end\n");
    Process process = script(node.plan(), "exit 3");
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    node.started(process);

    assertThatThrownBy(node::requireAlive)
        .isInstanceOf(ClusterFailure.class)
        .hasMessageStartingWith("node 1 (127.0.0.1:19042) ended while starting with exit code 3.")
        .hasMessageContaining("Read " + node.plan().log())
        .hasMessageContaining("ERROR no disk")
        .hasMessageNotContaining("a.B");
  }

  /** A process that has ended, but whose exit code is available only after a wait. */
  private static final class JustEnded extends Process {
    private final Process ended;
    private boolean known;

    JustEnded(Process ended) {
      this.ended = ended;
    }

    @Override
    public int exitValue() {
      if (!known) {
        throw new IllegalThreadStateException("process has not exited");
      }
      return ended.exitValue();
    }

    @Override
    public int waitFor() throws InterruptedException {
      known = true;
      return ended.waitFor();
    }

    @Override
    public boolean waitFor(long timeout, TimeUnit unit) throws InterruptedException {
      known = true;
      return ended.waitFor(timeout, unit);
    }

    @Override
    public ProcessHandle toHandle() {
      return ended.toHandle();
    }

    @Override
    public OutputStream getOutputStream() {
      return ended.getOutputStream();
    }

    @Override
    public InputStream getInputStream() {
      return ended.getInputStream();
    }

    @Override
    public InputStream getErrorStream() {
      return ended.getErrorStream();
    }

    @Override
    public void destroy() {
      ended.destroy();
    }
  }

  @Test
  void the_exit_code_of_a_node_that_ended_just_now_is_waited_for() throws Exception {
    NodeProcess node = new NodeProcess(plan(0));
    Process process = script(node.plan(), "exit 3");
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    node.started(new JustEnded(process));

    assertThatThrownBy(node::requireAlive)
        .isInstanceOf(ClusterFailure.class)
        .hasMessageContaining("ended while starting with exit code 3.");
  }

  @Test
  void the_failure_of_a_node_that_was_taken_over_has_no_exit_code() {
    NodeProcess node = new NodeProcess(plan(0));

    assertThatThrownBy(node::requireAlive)
        .hasMessageStartingWith("node 1 (127.0.0.1:19042) ended while starting. Read ");
  }

  @Test
  void a_node_that_is_alive_is_accepted() throws IOException {
    assertThatCode(running(0)::requireAlive).doesNotThrowAnyException();
  }
}
