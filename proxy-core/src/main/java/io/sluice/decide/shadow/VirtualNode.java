package io.sluice.decide.shadow;

import io.sluice.decide.schedule.SchedulerWitness.Answer;
import java.util.PriorityQueue;

/**
 * A node that works on all reads it was given, each at the same speed: on n of them at the speed
 * min(1, cores / n). Not safe for several threads.
 */
final class VirtualNode implements VirtualServer {

  private final Capacity capacity = new Capacity();
  private final PriorityQueue<VirtualRead> running =
      new PriorityQueue<>((one, other) -> Double.compare(one.endsAt, other.endsAt));

  /** Work done on each read that has been there from the beginning. */
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
