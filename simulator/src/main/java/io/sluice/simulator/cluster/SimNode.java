package io.sluice.simulator.cluster;

import io.sluice.simulator.event.VirtualTime;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;

/**
 * One Cassandra node: a limited number of CQL requests, and the read stage behind. Not safe for
 * several threads.
 */
final class SimNode {
  /** {@code native_transport_max_threads}: a CQL request holds one of them until it is answered. */
  private static final int REQUESTS = 128;

  private final ReadStage reads;
  private final Queue<Waiting> waiting = new ArrayDeque<>();
  private int requests;
  private boolean up = true;

  /** A request without a place. */
  private record Waiting(Runnable begin, Runnable lost) {}

  SimNode(VirtualTime time, Processor processor, int readThreads) {
    this(time, processor, readThreads, false);
  }

  SimNode(VirtualTime time, Processor processor, int readThreads, boolean ordered) {
    this.reads = new ReadStage(time, processor, readThreads, ordered);
  }

  boolean isUp() {
    return up;
  }

  ReadStage reads() {
    return reads;
  }

  /**
   * Begins a CQL request, at once or when a place is free. The caller ends it by {@link #leave}. If
   * the node goes down first, the request never begins, and its client waits for its own timeout.
   */
  void enter(Runnable request) {
    enter(request, () -> {});
  }

  private void enter(Runnable begin, Runnable lost) {
    if (requests < REQUESTS) {
      requests++;
      begin.run();
    } else {
      waiting.add(new Waiting(begin, lost));
    }
  }

  /** Ends a CQL request. */
  void leave() {
    Waiting next = waiting.poll();
    if (next == null) {
      requests = Math.max(0, requests - 1);
    } else {
      next.begin().run();
    }
  }

  /** Runs a CQL request that this node answers from its own data. */
  void execute(NodeRead read) {
    if (!up) {
      read.lost();
    } else {
      enter(() -> reads.submit(new Held(read)), read::lost);
    }
  }

  /** Takes the node down, which loses all its requests, or brings it back empty. */
  void up(boolean isUp) {
    up = isUp;
    if (!isUp) {
      requests = 0;
      List<Waiting> gone = List.copyOf(waiting);
      waiting.clear();
      reads.clear();
      gone.forEach(each -> each.lost().run());
    }
  }

  /** A read that holds the place of a request until it ends. */
  private final class Held extends NodeRead {
    private final NodeRead read;

    Held(NodeRead read) {
      super(read.workNanos(), read.latestStart());
      this.read = read;
    }

    @Override
    void answered() {
      leave();
      read.answered();
    }

    @Override
    void lost() {
      leave();
      read.lost();
    }

    @Override
    void dropped() {
      leave();
    }
  }
}
