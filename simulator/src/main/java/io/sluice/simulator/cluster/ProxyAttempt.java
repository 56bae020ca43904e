package io.sluice.simulator.cluster;

import io.sluice.decide.Refusal;
import io.sluice.decide.schedule.Demand;
import io.sluice.decide.schedule.Permit;
import io.sluice.decide.schedule.Query;
import io.sluice.ring.NodeId;
import java.util.List;

/** A sub-request in the scheduler's hands, then on its way to a node and back. */
abstract class ProxyAttempt extends Demand {
  /** The proxy in whose queue it waits. */
  private final SimProxy proxy;

  private boolean underWay;

  ProxyAttempt(SimProxy proxy, Query query, int segment, List<NodeId> replicas, double rows) {
    super(query, segment, replicas, rows);
    this.proxy = proxy;
  }

  /** Rows that the node will read, now that its turn has come; negative: it need not be sent. */
  abstract long rowsNow();

  /** The node has answered. */
  abstract void answered(long rows);

  /** The node was lost with it. */
  abstract void lost();

  /** The scheduler refused it. */
  abstract void refused(Failure failure);

  /** Gives the slot back where it was given. */
  void release(Runnable end) {
    end.run();
  }

  /** Out of the queue, unless its turn has come. */
  public boolean leaveQueue() {
    return proxy.scheduler().cancel(this);
  }

  /** It is not waited for any more: out of the queue, or a timeout the limiter should know of. */
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

  /** What the node is given. */
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
