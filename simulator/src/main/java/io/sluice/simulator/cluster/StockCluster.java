package io.sluice.simulator.cluster;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A target without a proxy: clients connect to Cassandra 4 or 5, with a driver that sends a point
 * read to one of its replicas and a range read to any node. Not safe for several threads.
 */
final class StockCluster implements Target {
  private final SimCluster cluster;
  private final List<Integer> all;
  private final List<Set<StockRangeRead>> coordinated = new ArrayList<>();

  StockCluster(SimCluster cluster) {
    this.cluster = cluster;
    this.all = IntStream.range(0, cluster.size()).boxed().toList();
    all.forEach(node -> coordinated.add(new LinkedHashSet<>()));
  }

  @Override
  public void send(int client, Read read, Answer answer) {
    if (read.point()) {
      List<Integer> owners = cluster.layout().owners(cluster.layout().rangeOf(read.token()));
      new Point(read, answer).start(cluster.anyUp(owners));
    } else {
      int coordinator = cluster.anyUp(all);
      if (coordinator < 0) {
        cluster.send(() -> answer.failed(Failure.UNAVAILABLE));
        return;
      }
      StockRangeRead exchange = new StockRangeRead(cluster, coordinator, read, answer, this::over);
      coordinated.get(coordinator).add(exchange);
      cluster.node(coordinator).enter(exchange::start);
    }
  }

  /**
   * Fails the reads that the node coordinates: clients that wait for a lost coordinator lose their
   * reads.
   */
  @Override
  public void nodeChanged(int node, boolean up) {
    List.copyOf(coordinated.get(node)).forEach(StockRangeRead::coordinatorLost);
  }

  @Override
  public double rangeSlots() {
    return 0;
  }

  private void over(StockRangeRead exchange) {
    coordinated.get(exchange.coordinator()).remove(exchange);
  }

  private final class Point extends Exchange {
    Point(Read read, Answer answer) {
      super(cluster, read, answer);
    }

    void start(int replica) {
      if (replica < 0) {
        fail(Failure.UNAVAILABLE);
        return;
      }
      long latest = cluster.time().nanoTime() + Timeouts.POINT.toNanos();
      cluster.meter().subRequest();
      cluster
          .node(replica)
          .execute(
              new NodeRead(cluster.workNanos(1), latest) {
                @Override
                void answered() {
                  succeed(1);
                }

                @Override
                void lost() {
                  fail(Failure.UNAVAILABLE);
                }
              });
    }

    @Override
    void abandon() {}
  }
}
