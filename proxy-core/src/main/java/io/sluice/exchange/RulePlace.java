package io.sluice.exchange;

import io.sluice.decide.rule.Line;
import io.sluice.decide.rule.Rule.Limit;
import io.sluice.decide.rule.RuleQuota;
import io.sluice.decide.rule.RuleQuota.Entrant;
import io.sluice.time.Lane;
import io.sluice.time.NanoClock;
import io.sluice.wire.Answers;
import io.sluice.wire.Frame;
import java.util.concurrent.RejectedExecutionException;

/**
 * A request's place under the limits of its rule. The request waits while a limit is reached. Not
 * safe for several threads: its client's lane, except where {@link Entrant} says otherwise.
 */
final class RulePlace extends Entrant {

  /** The request that has the place. */
  interface Holder {

    Lane lane();

    boolean isOver();

    /** Called when the request may begin after a wait. */
    void letIn();

    /** Called when the wait has ended without a place. */
    void refused(Limit limit);
  }

  private final RuleQuota quota;
  private final NanoClock clock;
  private final Line line;
  private Holder holder;
  private boolean inside;
  private long waitedSince;
  private long waitedNanos;

  /** Creates a place that {@link #take} takes. */
  RulePlace(RuleQuota quota, Line line, NanoClock clock, Holder holder) {
    super(line);
    this.quota = quota;
    this.line = line;
    this.clock = clock;
    this.holder = holder;
  }

  /** Takes the place. Returns false when the holder must wait until it is let in or refused. */
  boolean take() {
    long now = clock.nanoTime();
    inside = quota.tryEnter(line, now);
    if (!inside) {
      waitedSince = now;
      tickIn(holder.lane(), quota, clock, quota.join(this, now));
    }
    return inside;
  }

  /** Returns how long the request has waited, ns; 0 without a wait. */
  long waitedNanos() {
    return waitedNanos;
  }

  boolean isInside() {
    return inside;
  }

  /** Transfers the place to the exchange that gives the answer. */
  void handTo(Holder next) {
    holder = next;
  }

  /** Returns the rows of an answer if the rule limits rows, else 0. */
  long rows(Frame answer) {
    return quota.countsRows() ? Answers.rowCount(answer) : 0;
  }

  /** Gives the place up when the request ends. */
  void end(long rows) {
    if (inside) {
      leave(rows);
    } else {
      quota.cancel(this);
    }
  }

  private void leave(long rows) {
    inside = false;
    tickIn(holder.lane(), quota, clock, quota.leave(line, rows, clock.nanoTime()));
  }

  private static void tickIn(Lane lane, RuleQuota quota, NanoClock clock, long nanos) {
    if (nanos != RuleQuota.NO_TICK) {
      lane.schedule(nanos, () -> tickIn(lane, quota, clock, quota.tick(clock.nanoTime())));
    }
  }

  @Override
  protected void letIn() {
    try {
      holder.lane().execute(this::begin);
    } catch (RejectedExecutionException ended) {
      quota.leave(line, 0, clock.nanoTime());
    }
  }

  private void begin() {
    inside = true;
    waitedNanos = clock.nanoTime() - waitedSince;
    if (holder.isOver()) {
      leave(0);
    } else {
      holder.letIn();
    }
  }

  @Override
  protected void refused(Limit limit) {
    try {
      holder.lane().execute(() -> holder.refused(limit));
    } catch (RejectedExecutionException ended) {
      // The lane has shut down, and with it the client's connection.
    }
  }
}
