package io.sluice.exchange;

import io.sluice.accept.ClientRequest.ReplyTo;
import io.sluice.ring.Ring;
import io.sluice.time.NanoClock;
import io.sluice.wire.Answers;
import io.sluice.wire.Frame;
import java.util.function.Supplier;

/**
 * The receiver of the answer to a SELECT that EXPLAIN ANALYZE runs. The client gets the requests,
 * times and sizes of the read instead of its rows. An error reaches the client unchanged. Used on
 * its client's lane.
 */
final class Analysis implements ReplyTo {

  private final ReplyTo client;
  private final Supplier<Ring> ring;
  private final boolean json;
  private final int pageSize;
  private final long arrival;
  private final ReadTrace trace;

  Analysis(ReplyTo client, Supplier<Ring> ring, NanoClock clock, boolean json, int pageSize) {
    this.client = client;
    this.ring = ring;
    this.json = json;
    this.pageSize = pageSize;
    this.arrival = clock.nanoTime();
    this.trace = new ReadTrace(clock);
  }

  /** Returns the record of the requests to nodes. */
  ReadTrace trace() {
    return trace;
  }

  @Override
  public void reply(Frame answer) {
    if (!Answers.isRows(answer)) {
      client.reply(answer);
      return;
    }
    Frame shown =
        AnalyzedRequest.rows(
            trace.requests(), trace.total(arrival, answer, page(answer)), ring.get(), json, answer);
    answer.release();
    client.reply(shown);
  }

  private String page(Frame answer) {
    if (pageSize <= 0) {
      return "all rows";
    }
    return "one page of up to "
        + pageSize
        + " rows, "
        + (Answers.hasMorePages(answer) ? "more follow" : "no more follow");
  }

  @Override
  public boolean isOpen() {
    return client.isOpen();
  }
}
