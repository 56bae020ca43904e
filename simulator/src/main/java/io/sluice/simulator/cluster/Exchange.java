package io.sluice.simulator.cluster;

/** A client's read on its way to its one answer. Not safe for several threads. */
abstract class Exchange {
  private final SimCluster cluster;
  private final Read read;
  private final Answer answer;
  private final Runnable timeout = this::timedOut;
  private boolean over;

  Exchange(SimCluster cluster, Read read, Answer answer) {
    this.cluster = cluster;
    this.read = read;
    this.answer = answer;
    cluster.timeouts(read).add(timeout);
  }

  /** Its proxy is gone: what waits elsewhere is withdrawn, and no client is told. */
  void withdraw() {}

  /** What to do with what is under way when time is up; the client hears of it anyway. */
  abstract void abandon();

  final SimCluster cluster() {
    return cluster;
  }

  final Read read() {
    return read;
  }

  /** Ends it without an answer: its proxy has died. */
  final void forget() {
    if (end()) {
      withdraw();
    }
  }

  final boolean isOver() {
    return over;
  }

  final void succeed(long rows) {
    if (end()) {
      cluster.send(() -> answer.rows(rows));
    }
  }

  final void fail(Failure failure) {
    if (end()) {
      cluster.send(() -> answer.failed(failure));
    }
  }

  private boolean end() {
    boolean first = !over;
    over = true;
    cluster.timeouts(read).remove(timeout);
    return first;
  }

  private void timedOut() {
    fail(Failure.TIMEOUT);
    abandon();
  }
}
