package io.sluice.simulator.cluster;

import io.sluice.decide.Refusal;
import io.sluice.decide.schedule.Demand;
import io.sluice.decide.schedule.Permit;
import io.sluice.decide.schedule.Query;
import io.sluice.ring.NodeId;
import java.util.List;

/** A sub-request in the scheduler's queue, then in flight to a node and back. */
abstract class ProxyAttempt extends Demand {
  /** The proxy in whose queue the sub-request waits. */
  private final SimProxy proxy;

  private boolean underWay;

  ProxyAttempt(SimProxy proxy, Query query, int pieceNumber, List<NodeId> replicas, double rows) {
    super(query, pieceNumber, replicas, rows);
    this.proxy = proxy;
  }

  /**
   * Returns how many rows the node will read, when the turn comes; negative if the request need not
   * be sent.
   */
  abstract long rowsNow();

  /** Receives the node's answer. */
  abstract void answered(long rows);

  /** Reports that the node is down. */
  abstract void lost();

  /** Reports that the scheduler refused the sub-request. */
  abstract void refused(Failure failure);

  /** Releases the slot at the proxy that gave it. */
  void release(Runnable end) {
    end.run();
  }

  /** Leaves the queue; false if the turn has come. */
  public boolean leaveQueue() {
    return proxy.scheduler().cancel(this);
  }

  /**
   * Abandons the sub-request: it leaves the queue, or ends as a timeout that the limiter learns of.
   */
  void abandon() {
    if (!leaveQueue() && underWay) {
      underWay = false;
      release(this::finishOverloaded);
    }
  }

  @Override
  protected void start(Permit permit) {
    long rows = proxy.isDead() ? -1 : rowsNow();
    if (rows < 0) {
      release(permit::finishAbandoned);
      return;
    }
    underWay = true;
    SimCluster cluster = proxy.cluster();
    long latest = cluster.time().nanoTime() + Timeouts.POINT.toNanos();
    SimNode node = cluster.node(Layout.number(permit.node()));
    cluster.meter().subRequest();
    NodeRead read = new Sent(cluster.workNanos(rows), latest, rows);
    cluster.send(() -> node.execute(read));
  }

  @Override
  protected final void refuse(Refusal refusal) {
    refused(
        switch (refusal.reason()) {
          case OVERLOADED -> Failure.OVERLOADED;
          case DEADLINE -> Failure.TIMEOUT;
          case UNAVAILABLE -> Failure.UNAVAILABLE;
        });
  }

  private void ended(boolean read, long rows) {
    if (!underWay || proxy.isDead()) {
      return;
    }
    underWay = false;
    if (read) {
      answered(rows);
      release(() -> finish(rows, proxy.cluster().bytes(rows)));
    } else {
      release(this::finishAbandoned);
      lost();
    }
  }

  /** The read at the node. */
  private final class Sent extends NodeRead {
    private final long rows;

    Sent(double workNanos, long latestStart, long rows) {
      super(workNanos, latestStart);
      this.rows = rows;
    }

    @Override
    void answered() {
      proxy.cluster().send(() -> ended(true, rows));
    }

    @Override
    void lost() {
      proxy.cluster().send(() -> ended(false, rows));
    }
  }
}
