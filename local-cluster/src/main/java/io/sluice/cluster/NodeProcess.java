package io.sluice.cluster;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The process of a node, started by this JVM or taken over. Safe for any thread. */
final class NodeProcess {
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(60);
  private static final long EXIT_CODE_SECONDS = 10;

  private final NodePlan plan;
  private volatile @Nullable ProcessHandle handle;
  private volatile @Nullable Process child;
  private volatile boolean paused;

  NodeProcess(NodePlan plan) {
    this.plan = plan;
  }

  NodePlan plan() {
    return plan;
  }

  /** Returns its process id, or -1 if it never had one. */
  long pid() {
    ProcessHandle current = handle;
    return current == null ? -1 : current.pid();
  }

  boolean alive() {
    ProcessHandle current = handle;
    return current != null && current.isAlive();
  }

  boolean paused() {
    return paused;
  }

  void started(Process process) {
    paused = false;
    child = process;
    handle = process.toHandle();
  }

  /** Takes over a process of another run, if that process id still belongs to this node. */
  void attach(long pid) {
    Optional<ProcessHandle> found = ProcessHandle.of(pid);
    handle = found.filter(this::isOurs).orElse(null);
  }

  void pause() {
    signal("STOP");
    paused = true;
  }

  void resume() {
    signal("CONT");
    paused = false;
  }

  /** Stops the process cleanly and waits for its end. Kills it after a minute. */
  void stop() {
    ProcessHandle current = handle;
    if (current == null || !current.isAlive()) {
      return;
    }
    resume();
    current.destroy();
    if (!Waiting.until(STOP_TIMEOUT, () -> !current.isAlive())) {
      kill();
    }
  }

  /** Kills the process and waits for its end. */
  void kill() {
    killAll(List.of(this));
  }

  /** Kills processes, all at once, and waits for their end, also in an interrupted thread. */
  static void killAll(List<NodeProcess> nodes) {
    List<ProcessHandle> handles =
        nodes.stream().flatMap(n -> Optional.ofNullable(n.handle).stream()).toList();
    handles.forEach(ProcessHandle::destroyForcibly);
    Waiting.untilUninterrupted(
        STOP_TIMEOUT, () -> handles.stream().noneMatch(ProcessHandle::isAlive));
    nodes.forEach(n -> n.paused = false);
  }

  /** Throws a failure with the end of the log if the process has ended. */
  void requireAlive() {
    if (!alive()) {
      throw new ClusterFailure(
          plan.name() + " ended while starting" + exitCode() + ". " + readTheLog());
    }
  }

  /** Waits briefly for the exit code, because the handle reports the end slightly earlier. */
  private String exitCode() {
    Process ended = child;
    try {
      return ended != null && ended.waitFor(EXIT_CODE_SECONDS, TimeUnit.SECONDS)
          ? " with exit code " + ended.exitValue()
          : "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    }
  }

  String readTheLog() {
    return "Read " + plan.log() + "; its last lines:\n" + LogTail.ofAFailure(plan.log(), 12);
  }

  private boolean isOurs(ProcessHandle found) {
    return found.info().commandLine().map(c -> c.contains("@" + plan.jvmArgs())).orElse(false);
  }

  private void signal(String name) {
    if (!alive() || !Signal.send(name, pid())) {
      throw new ClusterFailure(plan.name() + " is not running");
    }
  }
}
