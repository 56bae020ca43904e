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

  /**
   * Withdraws what waits at other proxies, because this proxy has died. No client gets an answer.
   */
  void withdraw() {}

  /** Abandons the sub-requests at the timeout; the client gets its answer anyway. */
  abstract void abandon();

  final SimCluster cluster() {
    return cluster;
  }

  final Read read() {
    return read;
  }

  /** Ends the exchange without an answer, because its proxy has died. */
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
