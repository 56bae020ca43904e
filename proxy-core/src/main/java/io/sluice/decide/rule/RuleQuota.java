package io.sluice.decide.rule;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.decide.rule.Rule.Limit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The limits of one rule, and their use by its requests. It has no thread and no clock: methods
 * return in how many ns {@link #tick} has to be called, and the caller sees to it. Calls out are
 * made without the lock. Safe for any thread.
 */
public final class RuleQuota {

  /** No tick is needed. */
  public static final long NO_TICK = QuotaState.NEVER;

  private static final long NONE = Long.MAX_VALUE;

  /** A timer may fire a little before its time. */
  private static final long EARLY_NANOS = 1_000_000;

  @GuardedBy("this")
  private final QuotaState state;

  /** When the next tick is due that a lane was asked for. */
  @GuardedBy("this")
  private long tickAt = NONE;

  RuleQuota(Rule.Limits limits, long now) {
    this.state = new QuotaState(limits, now);
  }

  /** Whether requests must report the rows that they return. */
  public synchronized boolean countsRows() {
    return state.countsRows();
  }

  /**
   * Lets a request in at once if the limits allow it; false if it has to wait.
   *
   * @param line the line in which it would wait
   */
  public synchronized boolean tryEnter(Line line, long now) {
    return state.tryEnter(line, now);
  }

  /** Lets a request in or refuses it, now or later. Returns when a tick is needed. */
  public long join(Entrant entrant, long now) {
    List<Entrant> settled;
    long tick;
    synchronized (this) {
      state.join(entrant, now);
      settled = state.settle(now);
      tick = nextTick(now);
    }
    settled.forEach(Entrant::call);
    return tick;
  }

  /**
   * Removes a request from the wait.
   *
   * @return false if it does not wait: it was or is about to be let in or refused
   */
  public synchronized boolean cancel(Entrant entrant) {
    boolean waits = entrant.state == Entrant.State.WAITING;
    if (waits) {
      state.withdraw(entrant);
    }
    return waits;
  }

  /**
   * Ends a request that was let in. Returns when a tick is needed.
   *
   * @param line the line in which it waited, or would have waited
   * @param rows rows that it has returned
   */
  public long leave(Line line, long rows, long now) {
    synchronized (this) {
      state.leave(line, rows, now);
      if (state.waiting() == 0) {
        return NO_TICK;
      }
    }
    return settle(now);
  }

  /** Handles a tick that an earlier call asked for. Returns when the next tick is needed. */
  public long tick(long now) {
    synchronized (this) {
      if (now - tickAt >= -EARLY_NANOS) {
        tickAt = NONE;
      }
    }
    return settle(now);
  }

  /** Changes the limits. A tick that is due stays due. */
  void change(Rule.Limits limits, long now) {
    List<Entrant> settled;
    synchronized (this) {
      state.change(limits, now);
      settled = state.settle(now);
    }
    settled.forEach(Entrant::call);
  }

  /** Restricts this proxy to these parts of the limits. A tick that is due stays due. */
  void allow(Map<Limit, Double> parts, long now) {
    List<Entrant> settled;
    synchronized (this) {
      state.allow(parts, now);
      settled = state.settle(now);
    }
    settled.forEach(Entrant::call);
  }

  /** Lets in and refuses all requests that are due. Returns when a tick is needed. */
  private long settle(long now) {
    List<Entrant> settled;
    long tick;
    synchronized (this) {
      settled = state.settle(now);
      tick = nextTick(now);
    }
    settled.forEach(Entrant::call);
    return tick;
  }

  /** Returns when a tick is needed in addition to those that are due. */
  @GuardedBy("this")
  private long nextTick(long now) {
    long next = state.nextTick(now);
    if (next == QuotaState.NEVER || (tickAt != NONE && tickAt - (now + next) <= 0)) {
      return NO_TICK;
    }
    tickAt = now + next;
    return next;
  }

  synchronized void refuse(Limit limit) {
    state.refuse(limit);
  }

  synchronized QuotaUse use(long now) {
    return state.use(now);
  }

  /**
   * A request that waits until its rule's limits let it begin. It is let in or refused once, unless
   * {@link RuleQuota#cancel} comes before.
   */
  public abstract static class Entrant {

    /** The stage that the request has reached. */
    enum State {
      NEW,
      WAITING,
      LET_IN,
      REFUSED,
      CANCELLED
    }

    final Line line;
    // The following fields are read and written under the quota's lock only.
    State state = State.NEW;
    long since;
    long order;
    @Nullable Limit limit;

    /**
     * Creates a request that does not wait yet.
     *
     * @param line the line in which it waits
     */
    protected Entrant(Line line) {
      this.line = line;
    }

    /**
     * Lets the request begin; it holds its place until {@link RuleQuota#leave}. Called at most
     * once, with no lock held, on any thread; the implementation may only hand over to another
     * thread.
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
}
