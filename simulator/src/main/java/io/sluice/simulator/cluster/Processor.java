package io.sluice.simulator.cluster;

import io.sluice.simulator.event.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Cores that are shared evenly by the running reads: n reads advance at the speed min(1, cores / n)
 * each, less the loss by crowding. Not safe for several threads.
 */
final class Processor {
  private static final long NEVER = Long.MAX_VALUE;

  /** A running read. It is done when the service per read has reached {@code doneAt}. */
  static final class Job implements Comparable<Job> {
    private final double doneAt;
    private final long order;
    private final Runnable done;

    private Job(double doneAt, long order, Runnable done) {
      this.doneAt = doneAt;
      this.order = order;
      this.done = done;
    }

    @Override
    public int compareTo(Job other) {
      return doneAt != other.doneAt
          ? Double.compare(doneAt, other.doneAt)
          : Long.compare(order, other.order);
    }
  }

  private final VirtualTime time;
  private final double cores;
  private final double crowding;
  private final PriorityQueue<Job> jobs = new PriorityQueue<>();
  private long started;
  private long updated;
  private long wakeAt = NEVER;

  /** Service that a read has received which has run since the beginning, ns. */
  private double served;

  private double busyNanos;

  Processor(VirtualTime time, double cores, double crowding) {
    this.time = time;
    this.cores = cores;
    this.crowding = crowding;
  }

  /** Runs a job of {@code workNanos} of one core, and then calls {@code done}. */
  Job run(double workNanos, Runnable done) {
    progress();
    Job job = new Job(served + workNanos, started++, done);
    jobs.add(job);
    plan();
    return job;
  }

  /** Stops an unfinished job. */
  void abandon(Job job) {
    progress();
    jobs.remove(job);
    plan();
  }

  /** Returns the time that cores were busy since the beginning, summed over the cores, ns. */
  double busyNanos() {
    progress();
    return busyNanos;
  }

  private double speed() {
    double share = jobs.size() / cores;
    return share <= 1 ? 1 : 1 / (share * (1 + crowding * (share - 1)));
  }

  private void progress() {
    long elapsed = time.nanoTime() - updated;
    served += elapsed * speed();
    busyNanos += elapsed * Math.min(cores, jobs.size());
    updated = time.nanoTime();
  }

  /**
   * Schedules the next end. If more reads run by then, the earlier event comes too soon and
   * schedules again.
   */
  private void plan() {
    Job next = jobs.peek();
    if (next == null) {
      return;
    }
    long at = time.nanoTime() + (long) Math.ceil(Math.max(0, next.doneAt - served) / speed());
    if (at < wakeAt) {
      wakeAt = at;
      time.after(at - time.nanoTime(), () -> wake(at));
    }
  }

  private void wake(long planned) {
    if (planned != wakeAt) {
      return;
    }
    wakeAt = NEVER;
    progress();
    List<Job> done = new ArrayList<>();
    while (!jobs.isEmpty() && jobs.element().doneAt <= served + 0.5) {
      done.add(jobs.remove());
    }
    plan();
    done.forEach(job -> job.done.run());
  }
}
