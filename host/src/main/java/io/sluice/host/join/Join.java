package io.sluice.host.join;

import io.sluice.host.change.Changes;
import io.sluice.host.change.Ledger.Entry;
import io.sluice.host.join.NodeMode.Reading;
import io.sluice.host.plan.Plan;
import io.sluice.host.process.ProcessTable;
import io.sluice.host.process.ProcessTable.HostProcess;
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
 * Changes settings until a node has joined. Restores them when the node has joined, when it will
 * not join, when its process ends, and when this JVM is told to end.
 */
public final class Join {
  private static final long POLL_MILLIS = 500;
  private static final List<Entry.Kind> OWN = List.of(Entry.Kind.JOIN);

  /** The time after which a node that has not answered counts as one without a mode. */
  private static final long PATIENCE_MILLIS = 5_000;

  /** The time within which a node that starts must have a mode. */
  private static final long START_MILLIS = 600_000;

  private final HostTree tree;
  private final Consumer<String> out;
  private final Nodes nodes;
  private final Time time;

  /** Connects to nodes. */
  interface Nodes {
    /**
     * Returns the node in a process, without a connection yet.
     *
     * @param jmx its JMX port; null to attach to the process
     */
    NodeMode node(long pid, @Nullable JmxPort jmx);
  }

  /** A clock, and pauses by it. */
  interface Time {
    Time SYSTEM =
        new Time() {
          @Override
          public long millis() {
            return System.nanoTime() / 1_000_000;
          }

          @Override
          public void pause(long millis) throws InterruptedException {
            Thread.sleep(millis);
          }
        };

    long millis();

    void pause(long millis) throws InterruptedException;
  }

  /**
   * Creates a join on this host.
   *
   * @param out gets a line for each change and each mode of the node
   */
  public Join(HostTree tree, Consumer<String> out) {
    this(tree, out, (pid, jmx) -> new JmxNode(new ProcessTable(tree), pid, jmx), Time.SYSTEM);
  }

  Join(HostTree tree, Consumer<String> out, Nodes nodes, Time time) {
    this.tree = tree;
    this.out = out;
    this.nodes = nodes;
    this.time = time;
  }

  /**
   * The node to wait for.
   *
   * @param pid its process; null if a service is named
   * @param service a systemd unit, which may start later; null if a process is named
   * @param jmx its JMX port; null to attach to the process
   */
  public record Target(@Nullable Long pid, @Nullable String service, @Nullable JmxPort jmx) {}

  /**
   * Changes the settings, waits for the node, and restores the settings. Restores them after some
   * minutes if the node's mode cannot be read.
   *
   * @param schedulers the schedulers to set for that time; null to keep them
   * @param limitMillis the time after which the settings are restored in any case
   * @return whether the node has joined and all settings are restored
   * @throws IOException if the node's mode can never be read, or a setting cannot be changed; all
   *     settings are restored
   */
  public boolean run(
      Target target, WriteBack writeBack, Plan.@Nullable Options schedulers, long limitMillis)
      throws IOException, InterruptedException {
    long end = time.millis() + limitMillis;
    try (Changes changes = Changes.begin(tree, out);
        ChangedSettings changed = new ChangedSettings(changes)) {
      // Before any change, so that a signal at any time finds what to undo.
      Runtime.getRuntime().addShutdownHook(changed.onEnd);
      Map<String, String> wanted = wanted(writeBack, schedulers);
      JoinStep step;
      try (Found node = find(target, end)) {
        if (node == null) {
          return false;
        }
        Optional<String> mode = read(node, end).mode();
        step = JoinStep.of(node.mode().alive(), mode);
        if (step == JoinStep.JOINED) {
          out.accept(node.title() + " is NORMAL already: nothing to change");
          return true;
        }
        if (step == JoinStep.WAIT) {
          changed.set(wanted);
          step = await(node, mode.isPresent(), end);
        }
        out.accept(node.title() + ": " + describe(step));
      }
      return changed.restore() && step == JoinStep.JOINED;
    }
  }

  private static String describe(JoinStep step) {
    return switch (step) {
      case JOINED -> "NORMAL, it has joined";
      case FAILED -> "the node will not join";
      case SILENT ->
          "its mode could not be read for "
              + START_MILLIS / 60_000
              + " minutes, so the settings are restored";
      case ENDED -> "the process ended before the node had joined";
      case WAIT -> "not joined within the time limit";
    };
  }

  private Map<String, String> wanted(WriteBack writeBack, Plan.@Nullable Options schedulers)
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

  /** A process and its node, as a resource. */
  private record Found(String title, PatientMode mode) implements AutoCloseable {
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
      return found(title, pid, target);
    }
    String service = String.valueOf(target.service());
    out.accept("waiting for a node of the service " + service);
    while (time.millis() < end) {
      Optional<HostProcess> node = processes.ofService(service);
      if (node.isPresent()) {
        return found(node.get().title(), node.get().pid(), target);
      }
      time.pause(POLL_MILLIS);
    }
    out.accept("the service " + service + " runs no Cassandra node");
    return null;
  }

  private Found found(String title, long pid, Target target) {
    return new Found(title, new PatientMode(nodes.node(pid, target.jmx())));
  }

  private Reading read(Found node, long end) throws IOException, InterruptedException {
    return node.mode().now(Math.max(0, Math.min(PATIENCE_MILLIS, end - time.millis())));
  }

  /** Waits for the end of the join, and less long as long as the node has had no mode yet. */
  private JoinStep await(Found node, boolean hasMode, long end)
      throws IOException, InterruptedException {
    long until = hasMode ? end : Math.min(end, time.millis() + START_MILLIS);
    String last = "";
    while (time.millis() < until) {
      Reading reading = read(node, until);
      JoinStep step = JoinStep.of(node.mode().alive(), reading.mode());
      if (step != JoinStep.WAIT) {
        return step;
      }
      if (reading.mode().isPresent()) {
        until = end;
      }
      String problem = reading.problem();
      String message = reading.mode().orElse(problem.isEmpty() ? "starting" : "no JMX: " + problem);
      if (!message.equals(last)) {
        out.accept(node.title() + ": " + message);
        last = message;
      }
      time.pause(POLL_MILLIS);
    }
    return until < end ? JoinStep.SILENT : JoinStep.WAIT;
  }

  /** The changed settings, until they are restored. Safe for any thread. */
  private static final class ChangedSettings implements AutoCloseable {
    private final Changes changes;
    private final Thread onEnd = new Thread(this::restoreQuietly, "sluice-host-undo");
    private boolean over;

    ChangedSettings(Changes changes) {
      this.changes = changes;
    }

    /**
     * Changes the settings.
     *
     * @throws IOException if the kernel refused a value; the others are changed until they are
     *     restored
     */
    synchronized void set(Map<String, String> wanted) throws IOException {
      if (over || wanted.isEmpty()) {
        return;
      }
      List<String> refused = changes.apply(Entry.Kind.JOIN, wanted);
      if (!refused.isEmpty()) {
        throw new IOException("not changed: " + String.join("; ", refused));
      }
    }

    /** Restores the settings. Returns whether everything is as before. */
    synchronized boolean restore() throws IOException {
      if (over) {
        return true;
      }
      over = true;
      return changes.undo(OWN).isEmpty();
    }

    private void restoreQuietly() {
      try {
        restore();
      } catch (IOException e) {
        System.err.println("sluice: " + e.getMessage() + "; run 'sluice host undo'");
      }
    }

    @Override
    public void close() throws IOException {
      restore();
      try {
        Runtime.getRuntime().removeShutdownHook(onEnd);
      } catch (IllegalStateException e) {
        // The JVM is shutting down: the hook runs, and finds nothing to do.
        return;
      }
    }
  }

  /**
   * The limits for dirty pages in memory.
   *
   * @param backgroundRatio percent of free memory and page cache that may be dirty before the
   *     kernel starts to write
   * @param ratio percent at which writers must wait
   * @param expireSeconds age at which the kernel writes a page
   * @param intervalSeconds interval at which the kernel looks for such pages
   */
  public record WriteBack(int backgroundRatio, int ratio, int expireSeconds, int intervalSeconds) {
    private static final String VM = "/proc/sys/vm/";

    public WriteBack {
      if (backgroundRatio < 1 || ratio > 90 || backgroundRatio >= ratio) {
        throw new IllegalArgumentException(
            "dirty ratios must be 1 <= --dirty-background-ratio < --dirty-ratio <= 90");
      }
      if (expireSeconds < 1 || intervalSeconds < 1) {
        throw new IllegalArgumentException("--expire-seconds, --interval-seconds: at least 1");
      }
    }

    /** Returns the values by file. */
    Map<String, String> values() {
      Map<String, String> values = new LinkedHashMap<>();
      values.put(VM + "dirty_background_ratio", Integer.toString(backgroundRatio));
      values.put(VM + "dirty_ratio", Integer.toString(ratio));
      values.put(VM + "dirty_expire_centisecs", Integer.toString(100 * expireSeconds));
      values.put(VM + "dirty_writeback_centisecs", Integer.toString(100 * intervalSeconds));
      return values;
    }
  }
}
