package io.sluice.simulator.cluster;

import io.sluice.simulator.cluster.Processor.Job;
import io.sluice.simulator.event.VirtualTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;

/**
 * Cassandra's read stage: a number of threads, and in front of them one queue for reads of all
 * kinds, first in, first out unless it is ordered. Not safe for several threads.
 */
final class ReadStage {
  private static final double PATIENCE = 100;

  private final VirtualTime time;
  private final Processor processor;
  private final int threads;
  private final double patience;
  private final Queue<Waiting> waiting = new PriorityQueue<>();
  private final Map<NodeRead, Job> running = new LinkedHashMap<>();
  private double speed = 1;
  private long arrived;

  private record Waiting(NodeRead read, double key, long order) implements Comparable<Waiting> {
    @Override
    public int compareTo(Waiting other) {
      int byKey = Double.compare(key, other.key);
      return byKey != 0 ? byKey : Long.compare(order, other.order);
    }
  }

  ReadStage(VirtualTime time, Processor processor, int threads) {
    this(time, processor, threads, false);
  }

  /**
   * Creates a stage. If {@code ordered}, as with a node agent, reads are ordered by their arrival
   * plus a hundred times their work.
   */
  ReadStage(VirtualTime time, Processor processor, int threads, boolean ordered) {
    this.patience = ordered ? PATIENCE : 0;
    this.time = time;
    this.processor = processor;
    this.threads = threads;
  }

  /** Changes the speed from the next read on; usually 1. */
  void speed(double newSpeed) {
    speed = newSpeed;
  }

  void submit(NodeRead read) {
    double key = patience == 0 ? 0 : time.nanoTime() + patience * read.workNanos();
    waiting.add(new Waiting(read, key, arrived++));
    dispatch();
  }

  /** Loses all reads. */
  void clear() {
    List<NodeRead> gone = new ArrayList<>(running.keySet());
    waiting.stream().sorted().forEach(each -> gone.add(each.read()));
    running.values().forEach(processor::abandon);
    running.clear();
    waiting.clear();
    gone.forEach(NodeRead::lost);
  }

  private void dispatch() {
    while (running.size() < threads && !waiting.isEmpty()) {
      NodeRead next = waiting.remove().read();
      if (next.isDropped(time.nanoTime())) {
        next.dropped();
      } else {
        running.put(next, processor.run(next.workNanos() / speed, () -> done(next)));
      }
    }
  }

  private void done(NodeRead read) {
    running.remove(read);
    dispatch();
    read.answered();
  }
}
