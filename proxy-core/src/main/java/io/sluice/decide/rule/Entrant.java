package io.sluice.decide.rule;

import org.jspecify.annotations.Nullable;

/**
 * A request that waits until its rule's limits let it begin. It is let in or refused once, unless
 * {@link RuleQuota#cancel} comes before.
 */
public abstract class Entrant {

  /** The stage that it has reached. */
  enum State {
    NEW,
    WAITING,
    LET_IN,
    REFUSED,
    CANCELLED
  }

  final boolean range;
  // What follows is read and written under the quota's lock only.
  State state = State.NEW;
  long since;
  long order;
  @Nullable Limit limit;

  /**
   * Describes a request that does not wait yet.
   *
   * @param range whether it is a range read
   */
  protected Entrant(boolean range) {
    this.range = range;
  }

  /**
   * It may begin, and holds its place until {@link RuleQuota#leave}. Called at most once, with no
   * lock held, by any thread, which it may only hand over to another.
   */
  protected abstract void letIn();

  /** It has waited for too long; called instead of {@link #letIn}, in the same way. */
  protected abstract void refused(Limit limit);

  /** Says what has become of it, without the lock. */
  final void call() {
    Limit reason = limit;
    if (reason == null) {
      letIn();
    } else {
      refused(reason);
    }
  }
}
