package io.sluice.decide.shadow;

import io.sluice.decide.schedule.SchedulerWitness.Answer;
import java.util.PriorityQueue;

/**
 * A model of a node that works on all its reads at once, at the same speed: n reads run at the
 * speed min(1, cores / n) each. Not safe for several threads.
 */
final class VirtualNode implements VirtualServer {

  private final Capacity capacity = new Capacity();
  private final PriorityQueue<VirtualRead> running =
      new PriorityQueue<>((one, other) -> Double.compare(one.endsAt, other.endsAt));

  /** Work done on a read that has run since the start of the model. */
  private double attained;

  private long updated;

  @Override
  public void start(VirtualRead read, long now) {
    progress(now);
    read.endsAt = attained + read.workNanos;
    running.add(read);
  }

  @Override
  public void restate(VirtualRead read, double workNanos, long now) {
    progress(now);
    running.remove(read);
    read.endsAt += workNanos - read.workNanos;
    read.workNanos = workNanos;
    running.add(read);
  }

  @Override
  public void stop(VirtualRead read, long now) {
    progress(now);
    running.remove(read);
  }

  @Override
  public long nextEnd() {
    VirtualRead next = running.peek();
    if (next == null) {
      return NEVER;
    }
    double left = Math.max(0, next.endsAt - attained);
    return updated + (long) Math.ceil(left / speed());
  }

  @Override
  public VirtualRead end(long now) {
    progress(now);
    return running.remove();
  }

  @Override
  public void seen(Answer answer, long now) {
    progress(now);
    capacity.answered(answer.workNanos(), answer.tookNanos(), answer.at());
  }

  private void progress(long now) {
    attained += (now - updated) * speed();
    updated = now;
  }

  private double speed() {
    return Math.min(1, capacity.cores() / Math.max(1, running.size()));
  }
}
