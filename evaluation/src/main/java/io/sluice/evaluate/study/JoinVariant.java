package io.sluice.evaluate.study;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A way to let a node join. */
public enum JoinVariant {
  /** Stock Cassandra, on a disk with the scheduler {@code mq-deadline}. */
  STOCK("stock", false, false, null),
  /** The agent defers the syncs of streamed files to their commit. */
  DEFERRED("deferred syncs", true, false, null),
  /** Dirty pages stay in memory longer until the node has joined. */
  WRITE_BACK("write-back", false, true, null),
  /** No I/O scheduler. */
  NONE("scheduler none", false, false, "none"),
  /** The scheduler BFQ, with time slices by process. */
  BFQ("scheduler bfq", false, false, "bfq"),
  /** Deferred syncs and longer write-back. */
  ALL("all", true, true, null);

  private final String label;
  private final boolean agent;
  private final boolean writeBack;
  private final @Nullable String scheduler;

  JoinVariant(String label, boolean agent, boolean writeBack, @Nullable String scheduler) {
    this.label = label;
    this.agent = agent;
    this.writeBack = writeBack;
    this.scheduler = scheduler;
  }

  /** Returns the name in reports. */
  public String label() {
    return label;
  }

  /** Whether the node has the agent. */
  boolean agent() {
    return agent;
  }

  /** Whether write-back is changed. */
  public boolean writeBack() {
    return writeBack;
  }

  /** Returns the scheduler of the disk; null to keep the current one. */
  @Nullable String scheduler() {
    return scheduler;
  }

  /** Returns the variants with these names; all variants if there are no names. */
  public static List<JoinVariant> named(List<String> labels) {
    for (String label : labels) {
      if (List.of(values()).stream().noneMatch(each -> each.label.equals(label.strip()))) {
        throw new IllegalArgumentException(
            "--variants: '"
                + label
                + "' is none of "
                + List.of(values()).stream().map(JoinVariant::label).toList());
      }
    }
    return List.of(values()).stream()
        .filter(
            each -> labels.isEmpty() || labels.stream().anyMatch(l -> l.strip().equals(each.label)))
        .toList();
  }

  /**
   * Returns the variants that can be measured.
   *
   * @param all the requested variants
   * @param quick whether to leave out the schedulers
   * @param writeBack whether this process may change write-back
   * @param schedulers whether the study has created the disk, and so may change its scheduler
   */
  public static List<JoinVariant> of(
      List<JoinVariant> all, boolean quick, boolean writeBack, boolean schedulers) {
    return all.stream()
        .filter(each -> writeBack || !each.writeBack)
        .filter(each -> each.scheduler == null || (schedulers && !quick))
        .toList();
  }
}
