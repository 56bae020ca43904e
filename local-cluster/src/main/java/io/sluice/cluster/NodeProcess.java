package io.sluice.cluster;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The operating system's side of one node, started here or taken over. Safe for any thread. */
final class NodeProcess {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long CODE_SECONDS = 10;

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

  /** Its process id, or -1 if there never was one. */
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

  /** Takes over a process of another run, if that id still belongs to this node. */
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

  /** Ends the process in order and waits; after a minute, by force. */
  void stop() {
    ProcessHandle current = handle;
    if (current == null || !current.isAlive()) {
      return;
    }
    resume();
    current.destroy();
    if (!Waiting.until(PATIENCE, () -> !current.isAlive())) {
      kill();
    }
  }

  /** Ends the process by force and waits until it is gone. */
  void kill() {
    killAll(List.of(this));
  }

  /** Ends processes by force, all at once, and waits until all are gone. */
  static void killAll(List<NodeProcess> nodes) {
    List<ProcessHandle> handles =
        nodes.stream().flatMap(n -> Optional.ofNullable(n.handle).stream()).toList();
    handles.forEach(ProcessHandle::destroyForcibly);
    Waiting.until(PATIENCE, () -> handles.stream().noneMatch(ProcessHandle::isAlive));
    nodes.forEach(n -> n.paused = false);
  }

  /** Throws a failure with the end of the log if the process has ended. */
  void requireAlive() {
    if (!alive()) {
      throw new ClusterFailure(
          plan.name() + " ended while starting" + exitCode() + ". " + readTheLog());
    }
  }

  /** A handle tells that its process has ended a little before the process has its exit code. */
  private String exitCode() {
    Process ended = child;
    try {
      return ended != null && ended.waitFor(CODE_SECONDS, TimeUnit.SECONDS)
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
