package io.sluice.simulator.cluster;

import io.sluice.decide.schedule.Permit;
import io.sluice.decide.share.ScanSharing.Together;
import io.sluice.decide.share.ShareRule;
import io.sluice.decide.share.ShareRule.Scan;
import io.sluice.ring.NodeId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A piece's place in the queues, which it may give up to ride with another read. It rides only if
 * it gets all its rows; otherwise it is queued again. The real proxy would go on behind the rows it
 * got.
 */
final class RangeAttempt extends SharableAttempt {
  private final ProxyRangeRead range;
  private final ProxyRangeRead.Piece piece;
  private final Station origin;
  private final Station.Route route;
  private final Station home;

  /** The proxy that sends the read and gets the answer. */
  private final Station reader;

  private final @Nullable ShareRule rule;
  private final long queued;
  private final long passableUntil;
  private Scan scan;
  private Together<SharableAttempt> read;
  private boolean gone;

  RangeAttempt(ProxyRangeRead range, ProxyRangeRead.Piece piece, Station.Route route) {
    super(
        route.home().proxy(),
        range.ticket(route.home()).query(),
        piece.number(),
        route.replicas(),
        Math.min(piece.request().rows(), piece.request().piece().rows()));
    this.range = range;
    this.piece = piece;
    this.origin = range.origin();
    this.route = route;
    this.home = route.home();
    this.reader = home.leases() ? origin : home;
    this.queued = range.cluster().time().nanoTime();
    this.passableUntil = range.ticket(home).passableUntil();
    this.rule = piece.isAlone() ? null : origin.rule();
    this.scan = new Scan(piece.range(), Math.max(1, piece.rowsToAsk()));
    this.read = new Together<>(scan, List.of());
  }

  void submit() {
    if (home != origin) {
      home.guests().add(this);
    }
    range.deliver(home, this::enter);
  }

  private void enter() {
    if (rule != null) {
      reader.waiting().add(this);
    }
    home.proxy().scheduler().submit(this);
  }

  @Override
  void requeue() {
    if (home == origin) {
      piece.submitAlone();
    } else if (!gone) {
      home.guests().remove(this);
      RangeAttempt next = piece.submitAlone(route);
      home.guests().add(next);
      next.enter();
    }
  }

  @Override
  public Object key() {
    return range.read().table();
  }

  @Override
  public long sequence() {
    return query().sequence();
  }

  @Override
  public Scan scan() {
    return scan;
  }

  @Override
  public boolean mayGoTo(NodeId node) {
    return route.replicas().contains(node);
  }

  @Override
  public boolean leaveQueue() {
    reader.waiting().remove(this);
    return super.leaveQueue();
  }

  /** Withdraws the attempt; an answer in flight is ignored. */
  void withdraw() {
    range.deliver(
        home,
        () -> {
          gone = true;
          home.guests().remove(this);
          leaveQueue();
        });
  }

  @Override
  void leaveHome() {
    reader.waiting().remove(this);
  }

  @Override
  void moveToNextHome() {
    if (!gone && piece.isAt(this)) {
      gone = true;
      piece.submit();
    }
  }

  @Override
  protected void start(Permit permit) {
    reader.waiting().remove(this);
    home.proxy().overtakes().started(Layout.number(permit.node()), query(), passableUntil, queued);
    if (reader == home) {
      super.start(permit);
    } else {
      range.cluster().send(() -> super.start(permit));
    }
  }

  @Override
  void release(Runnable end) {
    if (reader == home) {
      end.run();
    } else {
      range.deliver(home, end);
    }
  }

  @Override
  long rowsNow() {
    int asked = reader == origin ? piece.rowsToAsk() : gone ? 0 : scan.rows();
    if (asked == 0) {
      return -1;
    }
    scan = new Scan(scan.range(), asked);
    read = new Together<>(scan, List.of());
    if (rule != null) {
      Together<SharableAttempt> together = reader.waiting().takeAlong(this, scan, node(), rule);
      if (together != null) {
        read = together;
        together.riders().forEach(this::answersFor);
      }
    }
    Scan whole = read.whole();
    return Math.min(whole.rows(), range.cluster().layout().actualRows(whole.range()));
  }

  @Override
  void answered(long rows) {
    Layout layout = range.cluster().layout();
    long from = layout.rowsUpTo(Layout.after(read.whole().range()));
    long first = from + rows;
    long last = from;
    List<SharableAttempt> takers = new ArrayList<>(List.of(this));
    takers.addAll(removeRiders());
    for (SharableAttempt taker : takers) {
      long begins = layout.rowsUpTo(Layout.after(taker.scan().range()));
      long wants = Math.min(taker.scan().rows(), layout.actualRows(taker.scan().range()));
      if (begins + wants <= from + rows) {
        first = Math.min(first, begins);
        last = Math.max(last, begins + wants);
        range.cluster().meter().rowsRead(wants);
        taker.served(node(), wants);
      } else {
        taker.requeue();
      }
    }
    range.cluster().meter().rowsRead(rows - Math.max(0, last - first));
  }

  @Override
  void served(NodeId node, long rows) {
    report(node, () -> piece.answered(rows));
  }

  /** Reports the outcome, and the wait at a node, to the client's own proxy. */
  private void report(NodeId node, Runnable outcome) {
    home.guests().remove(this);
    if (reader == origin) {
      outcome.run();
      return;
    }
    double wait = home.waitMicros(node);
    range
        .cluster()
        .send(
            () -> {
              origin.told(node, wait);
              if (!gone) {
                outcome.run();
              }
            });
  }

  /** Removes and returns the riders. */
  private List<SharableAttempt> removeRiders() {
    List<SharableAttempt> riders = read.riders();
    read = new Together<>(scan, List.of());
    return riders;
  }

  @Override
  void abandon() {
    super.abandon();
    home.guests().remove(this);
    removeRiders().forEach(SharableAttempt::requeue);
  }

  @Override
  void lost() {
    NodeId node = node();
    report(node, () -> piece.lost(node));
    removeRiders().forEach(SharableAttempt::requeue);
  }

  @Override
  void refused(Failure failure) {
    reader.waiting().remove(this);
    report(route.replicas().get(0), () -> piece.giveUp(failure));
  }

  Station home() {
    return home;
  }
}
