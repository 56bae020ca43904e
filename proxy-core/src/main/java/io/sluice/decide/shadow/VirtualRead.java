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

  /** Observes a virtual read. */
  interface Listener {

    /** Reports that the read starts. */
    void started(VirtualRead read);

    /** Reports that the read is refused. */
    void refused(VirtualRead read, Refusal refusal);
  }

  private final Listener listener;
  private final long expectedBytes;
  private @Nullable Answer answer;
  private long startedNanos;
  private boolean running;

  /**
   * The work of the read, ns of an uncrowded node's time; an estimate until the answer is known.
   */
  double workNanos;

  /** The value of {@code attained} at which the virtual node has done the read's work. */
  double endsAt;

  /** Creates the virtual counterpart of {@code real}. */
  VirtualRead(Listener listener, Query query, Demand real) {
    super(query, real.pieceNumber(), real.replicas(), real.expectedRows());
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

  /** Whether the read reports to that listener. */
  boolean reportsTo(Listener other) {
    return listener == other;
  }

  void markStarted(long now) {
    startedNanos = now;
  }

  long startedNanos() {
    return startedNanos;
  }

  /** Whether the read has started and not ended. */
  boolean isRunning() {
    return running;
  }

  /** Sets the real answer, which defines the read's work from now on. */
  void setAnswer(Answer real) {
    answer = real;
    workNanos = real.workNanos();
  }

  /** Finishes the read at the virtual node, with the real answer if it is known by then. */
  void complete() {
    running = false;
    if (answer != null) {
      finish(answer.rows(), answer.bytes());
    } else {
      finishAsExpected(expectedBytes);
    }
  }

  /** Abandons the running read. */
  void abandon() {
    running = false;
    finishAbandoned();
  }
}
