package io.sluice.decide.shadow;

import io.sluice.decide.Refusal;
import io.sluice.decide.schedule.Demand;
import io.sluice.decide.schedule.Permit;
import io.sluice.decide.schedule.Query;
import io.sluice.decide.schedule.SchedulerWitness.Answer;
import org.jspecify.annotations.Nullable;

/**
 * A read as the shadow's scheduler sees it: it waits and runs in virtual time, at a virtual node.
 * Not safe for several threads.
 */
final class VirtualRead extends Demand {

  /** Told what becomes of it. */
  interface Listener {

    /** Its turn has come. */
    void started(VirtualRead read);

    /** It gets no turn. */
    void refused(VirtualRead read, Refusal refusal);
  }

  private final Listener listener;
  private final long expectedBytes;
  private @Nullable Answer answer;
  private long startedNanos;
  private boolean running;

  /** The work in it, ns of an uncrowded node's time; an estimate until its answer is known. */
  double workNanos;

  /** Where its virtual node will have done its work. */
  double endsAt;

  /** The same read as {@code real}, which was submitted elsewhere. */
  VirtualRead(Listener listener, Query query, Demand real) {
    super(query, real.segment(), real.replicas(), real.expectedRows());
    this.listener = listener;
    this.expectedBytes = real.query().bytes(real.expectedRows());
    this.workNanos = real.query().workNanos(real.expectedRows());
  }

  @Override
  protected void start(Permit permit) {
    running = true;
    listener.started(this);
  }

  @Override
  protected void refuse(Refusal refusal) {
    listener.refused(this, refusal);
  }

  /** Whether that one is told. */
  boolean isOf(Listener other) {
    return listener == other;
  }

  void starts(long now) {
    startedNanos = now;
  }

  long startedNanos() {
    return startedNanos;
  }

  /** Whether it has started and not ended. */
  boolean isRunning() {
    return running;
  }

  /** The node has really answered: what was in the answer is known from now on. */
  void isKnown(Answer real) {
    answer = real;
    workNanos = real.workNanos();
  }

  /** The virtual node has answered it, with what is known of the answer by then. */
  void ends() {
    running = false;
    if (answer != null) {
      finish(answer.rows(), answer.bytes());
    } else {
      finishAsExpected(expectedBytes);
    }
  }

  /** It is not wanted any more. */
  void isLeft() {
    running = false;
    finishAbandoned();
  }
}
