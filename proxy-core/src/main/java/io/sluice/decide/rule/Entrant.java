package io.sluice.decide.rule;

import org.jspecify.annotations.Nullable;

/**
 * A request that waits until its rule's limits let it begin. It is let in or refused once, unless
 * {@link RuleQuota#cancel} comes before.
 */
public abstract class Entrant {

  /** The stage that the request has reached. */
  enum State {
    NEW,
    WAITING,
    LET_IN,
    REFUSED,
    CANCELLED
  }

  final boolean range;
  // The following fields are read and written under the quota's lock only.
  State state = State.NEW;
  long since;
  long order;
  @Nullable Limit limit;

  /**
   * Creates a request that does not wait yet.
   *
   * @param range whether it is a range read
   */
  protected Entrant(boolean range) {
    this.range = range;
  }

  /**
   * Lets the request begin; it holds its place until {@link RuleQuota#leave}. Called at most once,
   * with no lock held, on any thread; the implementation may only hand over to another thread.
   */
  protected abstract void letIn();

  /**
   * Refuses the request because it has waited too long. Called instead of {@link #letIn}, in the
   * same way.
   */
  protected abstract void refused(Limit limit);

  /** Calls {@link #letIn} or {@link #refused}, without the lock. */
  final void call() {
    Limit reason = limit;
    if (reason == null) {
      letIn();
    } else {
      refused(reason);
    }
  }
}
