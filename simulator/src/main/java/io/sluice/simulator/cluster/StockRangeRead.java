package io.sluice.simulator.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A range read as Cassandra coordinates it: the ring's ranges in order, neighbours with a common
 * replica as one, in waves sized by the rows per range, each request with the full LIMIT. Not safe
 * for several threads.
 */
final class StockRangeRead extends Exchange {
  /** Stock's margin: it expects this share fewer rows of each range than the statistics say. */
  private static final double MARGIN = 0.1;

  /** {@code cassandra.max_concurrent_range_requests}, for each core. */
  private static final int AT_ONCE_PER_CORE = 10;

  private final int coordinator;
  private final Consumer<StockRangeRead> whenOver;
  private final int mostAtOnce;
  private final List<Part> wave = new ArrayList<>();
  private int nextRange;
  private long nextAfter;
  private int asked;
  private long delivered;
  private boolean holdsThread;

  StockRangeRead(
      SimCluster cluster,
      int coordinator,
      Read read,
      Answer answer,
      Consumer<StockRangeRead> whenOver) {
    super(cluster, read, answer);
    this.coordinator = coordinator;
    this.whenOver = whenOver;
    this.nextRange = cluster.layout().rangeOf(read.token());
    this.nextAfter = read.token() - 1;
    this.mostAtOnce = (int) Math.ceil(AT_ONCE_PER_CORE * cluster.cores());
  }

  int coordinator() {
    return coordinator;
  }

  /** Starts the read, when the coordinator has a free place for the request. */
  void start() {
    holdsThread = true;
    if (isOver()) {
      release();
      return;
    }
    Layout layout = cluster().layout();
    double perRange = (1 - MARGIN) * layout.allRows() / layout.ranges();
    sendWave((int) Math.ceil(read().limit() / perRange));
  }

  private void sendWave(int ranges) {
    wave.clear();
    int enough = asked + Math.max(1, Math.min(ranges, mostAtOnce));
    while (asked < enough && nextRange < cluster().layout().ranges()) {
      wave.add(nextPart());
    }
    if (wave.isEmpty()) {
      finish();
    } else {
      List.copyOf(wave).forEach(Part::send);
    }
  }

  /** Returns the next ranges that have a common replica that is up. */
  private Part nextPart() {
    Layout layout = cluster().layout();
    List<Integer> common = up(layout.owners(nextRange));
    long after = nextAfter;
    do {
      nextAfter = layout.end(nextRange++);
      asked++;
      if (nextRange == layout.ranges()) {
        break;
      }
      List<Integer> next = new ArrayList<>(common);
      next.retainAll(layout.owners(nextRange));
      if (next.isEmpty()) {
        break;
      }
      common = next;
    } while (true);
    long rows = layout.rowsUpTo(nextAfter) - layout.rowsUpTo(after);
    return new Part(cluster().anyUp(common), Math.min(rows, read().limit()));
  }

  private List<Integer> up(List<Integer> owners) {
    return owners.stream().filter(node -> cluster().node(node).isUp()).toList();
  }

  /** Handles an answer. Rows count in ring order: those behind an unanswered part have to wait. */
  private void partAnswered() {
    if (isOver()) {
      return;
    }
    long rows = delivered;
    int done = 0;
    while (done < wave.size() && wave.get(done).done && rows < read().limit()) {
      rows += wave.get(done++).rows;
    }
    if (rows >= read().limit()) {
      delivered = rows;
      finish();
    } else if (done == wave.size()) {
      delivered = rows;
      sendWave(nextWave());
    }
  }

  private int nextWave() {
    if (delivered == 0) {
      return mostAtOnce;
    }
    double perRange = (double) delivered / asked;
    return (int) Math.round((read().limit() - delivered) / perRange);
  }

  private void finish() {
    succeed(Math.min(delivered, read().limit()));
    release();
  }

  /**
   * Fails the read because the client's connection breaks. The replicas' remaining answers are
   * ignored.
   */
  void coordinatorLost() {
    holdsThread = false;
    fail(Failure.UNAVAILABLE);
    release();
  }

  @Override
  void abandon() {
    release();
  }

  private void release() {
    whenOver.accept(this);
    if (holdsThread) {
      holdsThread = false;
      cluster().node(coordinator).leave();
    }
  }

  /** One request to one replica. */
  private final class Part {
    private final int replica;
    private final long rows;
    private boolean done;

    Part(int replica, long rows) {
      this.replica = replica;
      this.rows = rows;
    }

    void send() {
      if (replica < 0) {
        fail(Failure.UNAVAILABLE);
        release();
        return;
      }
      cluster().meter().subRequest();
      boolean local = replica == coordinator;
      long patience = (local ? Timeouts.POINT : Timeouts.RANGE).toNanos();
      long latest = cluster().time().nanoTime() + patience;
      if (local) {
        arrive(latest);
      } else {
        cluster().send(() -> arrive(latest));
      }
    }

    private void arrive(long latest) {
      SimNode node = cluster().node(replica);
      NodeRead task =
          new NodeRead(cluster().workNanos(rows), latest) {
            @Override
            void answered() {
              cluster().meter().rowsRead(rows);
              if (replica == coordinator) {
                came();
              } else {
                cluster().send(Part.this::came);
              }
            }

            /** Does nothing: the coordinator hears nothing, and gives up at the timeout. */
            @Override
            void lost() {}
          };
      if (node.isUp()) {
        node.reads().submit(task);
      }
    }

    private void came() {
      done = true;
      partAnswered();
    }
  }
}
