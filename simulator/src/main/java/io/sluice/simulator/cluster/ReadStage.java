package io.sluice.simulator.cluster;

import io.sluice.simulator.cluster.Processor.Job;
import io.sluice.simulator.event.VirtualTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/**
 * Cassandra's read stage: so many threads, and in front of them one queue for reads of all kinds,
 * first in, first out. Not safe for several threads.
 */
final class ReadStage {
  private final VirtualTime time;
  private final Processor processor;
  private final int threads;
  private final Queue<NodeRead> waiting = new ArrayDeque<>();
  private final Map<NodeRead, Job> running = new LinkedHashMap<>();
  private double speed = 1;

  ReadStage(VirtualTime time, Processor processor, int threads) {
    this.time = time;
    this.processor = processor;
    this.threads = threads;
  }

  /** How fast it is from the next read on, 1 as a rule. */
  void speed(double newSpeed) {
    speed = newSpeed;
  }

  void submit(NodeRead read) {
    waiting.add(read);
    dispatch();
  }

  /** Loses everything. */
  void clear() {
    List<NodeRead> gone = new ArrayList<>(running.keySet());
    gone.addAll(waiting);
    running.values().forEach(processor::abandon);
    running.clear();
    waiting.clear();
    gone.forEach(NodeRead::lost);
  }

  private void dispatch() {
    while (running.size() < threads && !waiting.isEmpty()) {
      NodeRead next = waiting.remove();
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
