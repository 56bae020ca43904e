package io.sluice.simulator.cluster;

import io.sluice.decide.schedule.Query;
import io.sluice.ring.NodeId;
import io.sluice.ring.Token;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A point read through a proxy: to one replica, and to another if that is lost. */
final class ProxyPointRead extends Exchange {
  private final SimProxy proxy;
  private final Query query;
  private final List<NodeId> owners;
  private final List<NodeId> tried = new ArrayList<>();
  private @Nullable Attempt attempt;

  ProxyPointRead(SimProxy proxy, Read read, Answer answer) {
    super(proxy.cluster(), read, answer);
    this.proxy = proxy;
    this.query = proxy.pointQuery(read);
    this.owners =
        cluster().layout().ring().replicas(Layout.KEYSPACE, new Token.Murmur3(read.token()));
  }

  void start() {
    List<NodeId> candidates = proxy.candidates(owners, tried);
    if (isOver() || candidates.isEmpty()) {
      fail(Failure.UNAVAILABLE);
      return;
    }
    Attempt next = new Attempt(candidates);
    attempt = next;
    proxy.scheduler().submit(next);
  }

  @Override
  void abandon() {
    if (attempt != null) {
      attempt.abandon();
    }
  }

  private final class Attempt extends ProxyAttempt {
    Attempt(List<NodeId> candidates) {
      super(proxy, query, 0, candidates, 1);
    }

    @Override
    long rowsNow() {
      return isOver() ? -1 : 1;
    }

    @Override
    void answered(long rows) {
      succeed(rows);
    }

    @Override
    void lost() {
      tried.add(node());
      ProxyPointRead.this.start();
    }

    @Override
    void refused(Failure failure) {
      fail(failure);
    }
  }
}
