package io.sluice.evaluate.study;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A way to let a node join. */
public enum JoinVariant {
  /** As Cassandra does it, on a disk with the scheduler {@code mq-deadline}. */
  STOCK("stock", false, false, null),
  /** The agent lets syncs of streamed files wait for their commit. */
  DEFERRED("deferred syncs", true, false, null),
  /** Written pages stay longer in memory until the node has joined. */
  WRITE_BACK("write-back", false, true, null),
  /** No scheduler of I/O. */
  NONE("scheduler none", false, false, "none"),
  /** Time slices by process. */
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

  /** How reports call it. */
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

  /** The scheduler of the disk; null: as it comes. */
  @Nullable String scheduler() {
    return scheduler;
  }

  /** The variants of these names; none: all. */
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
   * Those that can be measured.
   *
   * @param all those that are asked for
   * @param quick only the few that matter most
   * @param writeBack whether write-back may be changed
   * @param schedulers whether the disk is the study's own, so that its scheduler may be changed
   */
  public static List<JoinVariant> of(
      List<JoinVariant> all, boolean quick, boolean writeBack, boolean schedulers) {
    return all.stream()
        .filter(each -> writeBack || !each.writeBack)
        .filter(each -> each.scheduler == null || (schedulers && !quick))
        .toList();
  }
}
