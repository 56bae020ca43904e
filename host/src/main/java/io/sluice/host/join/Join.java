package io.sluice.host.join;

import io.sluice.host.change.Changes;
import io.sluice.host.change.Entry;
import io.sluice.host.plan.Plan;
import io.sluice.host.plan.PlanOptions;
import io.sluice.host.process.HostProcess;
import io.sluice.host.process.ProcessTable;
import io.sluice.host.tree.HostTree;
import io.sluice.host.tree.KernelValue;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Settings that hold until a node has joined. They go back when it has, when it cannot, when its
 * process ends, and when this JVM is told to end.
 */
public final class Join {
  private static final long LOOK_MILLIS = 500;
  private static final List<Entry.Kind> OWN = List.of(Entry.Kind.JOIN);

  private final HostTree tree;
  private final Consumer<String> out;

  /**
   * A join on this host.
   *
   * @param out gets a line for each change and each mode of the node
   */
  public Join(HostTree tree, Consumer<String> out) {
    this.tree = tree;
    this.out = out;
  }

  /**
   * The node to wait for.
   *
   * @param pid its process; null if a service is named
   * @param service a unit of systemd, which may not run yet; null if a process is named
   * @param jmx host and port of its JMX; null to attach to the process instead
   */
  public record Target(@Nullable Long pid, @Nullable String service, @Nullable String jmx) {}

  /**
   * Changes the settings, waits, and changes them back.
   *
   * @param schedulers the schedulers to set for that time; null to leave them
   * @return whether the node has joined and everything is as before
   */
  public boolean run(
      Target target, WriteBack writeBack, @Nullable PlanOptions schedulers, long limitMillis)
      throws IOException, InterruptedException {
    long end = millis() + limitMillis;
    try (Changes changes = Changes.begin(tree, out);
        Held held = new Held(changes)) {
      // First of all, so that a signal at any time finds what to undo.
      Runtime.getRuntime().addShutdownHook(held.onEnd);
      Map<String, String> wanted = wanted(writeBack, schedulers);
      JoinStep step;
      try (Found node = find(target, end)) {
        if (node == null) {
          return false;
        }
        step = JoinStep.of(node.mode().alive(), node.mode().now());
        if (step == JoinStep.JOINED) {
          out.accept(node.title() + " is NORMAL already: nothing to do");
          return true;
        }
        if (step == JoinStep.WAIT) {
          held.set(wanted);
          step = await(node, end);
        }
        out.accept(node.title() + ": " + said(step));
      }
      return held.back() && step == JoinStep.JOINED;
    }
  }

  private static String said(JoinStep step) {
    return switch (step) {
      case JOINED -> "NORMAL, it has joined";
      case FAILED -> "it does not go on joining";
      case ENDED -> "its process has ended before it joined";
      case WAIT -> "not joined within the time limit";
    };
  }

  private Map<String, String> wanted(WriteBack writeBack, @Nullable PlanOptions schedulers)
      throws IOException {
    Map<String, String> all = new LinkedHashMap<>(writeBack.values());
    if (schedulers != null) {
      all.putAll(Plan.ofChosenSchedulers(tree, schedulers).changes());
    }
    Map<String, String> differing = new LinkedHashMap<>();
    for (Map.Entry<String, String> each : all.entrySet()) {
      Optional<String> now = tree.read(each.getKey()).map(KernelValue::of);
      if (!now.equals(Optional.of(each.getValue()))) {
        differing.put(each.getKey(), each.getValue());
      }
    }
    return differing;
  }

  /** A process and its node; a record for try-with-resources. */
  private record Found(String title, JmxNode mode) implements AutoCloseable {
    @Override
    public void close() {
      mode.close();
    }
  }

  private @Nullable Found find(Target target, long end) throws IOException, InterruptedException {
    ProcessTable processes = new ProcessTable(tree);
    Long pid = target.pid();
    if (pid != null) {
      String title = processes.find(pid).map(HostProcess::title).orElse("process " + pid);
      return new Found(title, new JmxNode(pid, target.jmx()));
    }
    String service = String.valueOf(target.service());
    out.accept("waiting for a node of the service " + service);
    while (millis() < end) {
      Optional<HostProcess> node = processes.ofService(service);
      if (node.isPresent()) {
        return new Found(node.get().title(), new JmxNode(node.get().pid(), target.jmx()));
      }
      Thread.sleep(LOOK_MILLIS);
    }
    out.accept("the service " + service + " runs no node of Cassandra");
    return null;
  }

  private JoinStep await(Found node, long end) throws InterruptedException {
    String last = "";
    while (millis() < end) {
      Optional<String> mode = node.mode().now();
      JoinStep step = JoinStep.of(node.mode().alive(), mode);
      if (step != JoinStep.WAIT) {
        return step;
      }
      String trouble = node.mode().trouble();
      String says = mode.orElse(trouble.isEmpty() ? "starting" : "cannot be asked yet: " + trouble);
      if (!says.equals(last)) {
        out.accept(node.title() + ": " + says);
        last = says;
      }
      Thread.sleep(LOOK_MILLIS);
    }
    return JoinStep.WAIT;
  }

  private static long millis() {
    return System.nanoTime() / 1_000_000;
  }

  /** The changed settings, until they are back. Safe for any thread. */
  private static final class Held implements AutoCloseable {
    private final Changes changes;
    private final Thread onEnd = new Thread(this::backQuietly, "sluice-host-undo");
    private boolean over;

    Held(Changes changes) {
      this.changes = changes;
    }

    synchronized void set(Map<String, String> wanted) throws IOException {
      if (!over && !wanted.isEmpty()) {
        changes.apply(Entry.Kind.JOIN, wanted);
      }
    }

    /** Returns whether everything is as before. */
    synchronized boolean back() throws IOException {
      if (over) {
        return true;
      }
      over = true;
      return changes.undo(OWN).isEmpty();
    }

    private void backQuietly() {
      try {
        back();
      } catch (IOException e) {
        System.err.println("sluice: " + e.getMessage() + "; run 'sluice host undo'");
      }
    }

    @Override
    public void close() throws IOException {
      back();
      try {
        Runtime.getRuntime().removeShutdownHook(onEnd);
      } catch (IllegalStateException e) {
        // The JVM is ending: the hook runs, and finds nothing to do.
        return;
      }
    }
  }
}
