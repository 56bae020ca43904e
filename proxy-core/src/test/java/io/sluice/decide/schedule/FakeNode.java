package io.sluice.decide.schedule;

import java.util.ArrayList;
import java.util.List;

/**
 * A node whose cores are shared by all work in flight: n jobs advance at the speed min(1, cores /
 * n) each.
 */
final class FakeNode {
  private final VirtualTime time;
  private double cores;
  private final List<Job> jobs = new ArrayList<>();
  private long updated;
  private long generation;

  private static final class Job {
    private double leftNanos;
    private final Runnable done;

    Job(double leftNanos, Runnable done) {
      this.leftNanos = leftNanos;
      this.done = done;
    }
  }

  FakeNode(VirtualTime time, double cores) {
    this.time = time;
    this.cores = cores;
  }

  int inFlight() {
    return jobs.size();
  }

  void cores(double newCores) {
    progress();
    cores = newCores;
    plan();
  }

  /** Runs for the given time and then calls {@code done}. */
  void run(double nanos, Runnable done) {
    progress();
    jobs.add(new Job(nanos, done));
    plan();
  }

  private void progress() {
    double each = (time.nanoTime() - updated) * speed();
    jobs.forEach(job -> job.leftNanos -= each);
    updated = time.nanoTime();
  }

  private double speed() {
    return jobs.isEmpty() ? 1 : Math.min(1, cores / jobs.size());
  }

  private void plan() {
    long mine = ++generation;
    if (!jobs.isEmpty()) {
      double least = jobs.stream().mapToDouble(job -> job.leftNanos).min().orElseThrow();
      time.after((long) Math.ceil(Math.max(0, least) / speed()), () -> finish(mine));
    }
  }

  private void finish(long planned) {
    if (planned != generation) {
      return;
    }
    progress();
    List<Job> done = jobs.stream().filter(job -> job.leftNanos < 1).toList();
    jobs.removeAll(done);
    plan();
    done.forEach(job -> job.done.run());
  }
}
