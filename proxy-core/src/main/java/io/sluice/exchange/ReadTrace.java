package io.sluice.exchange;

import io.sluice.decide.plan.PlanStep;
import io.sluice.decide.schedule.Demand;
import io.sluice.exchange.AnalyzedRequest.When;
import io.sluice.fleet.HomeChoice;
import io.sluice.ring.NodeId;
import io.sluice.time.NanoClock;
import io.sluice.wire.Answers;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A record of the requests to nodes of one read, for EXPLAIN ANALYZE and for traces. Memory is
 * bounded: the first requests are kept one by one, and all later ones as sums. Not safe for several
 * threads: its client's lane.
 */
public final class ReadTrace {

  /** Requests that are kept one by one for EXPLAIN ANALYZE. */
  static final int MAX_KEPT = 1_000;

  static final String GIVEN_UP =
      "given up: the node was lost, silent or too slow, or its rows are not needed";

  private static final double NANOS_PER_MILLI = 1e6;
  private static final double MICROS_PER_MILLI = 1e3;
  private static final long NOT_SENT = -1;

  private final NanoClock clock;
  private final int maxKept;
  private final List<AnalyzedRequest> kept = new ArrayList<>();
  private final Sums all = new Sums();
  private final Sums others = new Sums();
  private final FirstSent firstSent = new FirstSent();

  /** The sums of several requests. Unknown figures count as 0. */
  private static final class Sums {
    private int requests;
    private long rows;
    private long bytes;
    private double queuedMillis;
    private double readMillis;
    private double predictedMillis;
    private double actualMillis;

    void add(AnalyzedRequest each) {
      requests++;
      rows += Math.max(0, each.rows());
      bytes += Math.max(0, each.bytes());
      queuedMillis += known(each.queuedMillis());
      readMillis += known(each.readMillis());
      predictedMillis += known(each.predictedMillis());
      actualMillis += known(each.actualMillis());
    }

    private static double known(double value) {
      return Double.isNaN(value) ? 0 : value;
    }
  }

  ReadTrace(NanoClock clock) {
    this(clock, MAX_KEPT);
  }

  /** Creates a record that keeps the first {@code maxKept} requests one by one. */
  ReadTrace(NanoClock clock, int maxKept) {
    this.clock = clock;
    this.maxKept = maxKept;
  }

  /**
   * Records a request that has ended. Ignores a request that was never sent.
   *
   * @param range the token range that was read; empty when the request names none
   * @param granted its place in the queue, whose permit has ended
   * @param answer the node's answer, which stays its owner's; null when there is none
   * @param riders other reads that got rows of the answer
   */
  public void ended(
      PlanStep step, String range, Demand granted, @Nullable Frame answer, int riders) {
    long sent = granted.sentNanos(NOT_SENT);
    if (sent == NOT_SENT) {
      return;
    }
    firstSent.sent(sent);
    int error = answer == null ? -1 : Answers.errorCode(answer);
    long now = clock.nanoTime();
    add(
        new AnalyzedRequest(
            step,
            granted.node(),
            range,
            (sent - granted.submittedNanos()) / NANOS_PER_MILLI,
            (now - sent) / NANOS_PER_MILLI,
            answer == null ? 0 : Answers.rowCount(answer),
            answer == null ? 0 : answer.length(),
            granted.predictedMicros() / MICROS_PER_MILLI,
            granted.actualMicros() / MICROS_PER_MILLI,
            note(answer == null, error, riders),
            new When(granted.submittedNanos(), sent, now)));
  }

  private static String note(boolean givenUp, int error, int riders) {
    if (givenUp) {
      return GIVEN_UP;
    } else if (error >= 0) {
      return ErrorCode.name(error);
    }
    return riders == 0 ? "" : "read together with " + riders + (riders == 1 ? " other" : " others");
  }

  /**
   * The times of a request that the home proxy has sent.
   *
   * @param forwardedNanos when this proxy sent the piece to the home proxy
   * @param sentNanos when the home proxy sent the request to the node, by its own account
   */
  public record Times(long forwardedNanos, long sentNanos) {}

  /**
   * Records a request that waited at the home proxy and has ended.
   *
   * @param range the token range that was read
   * @param answer the node's answer, which stays its owner's
   */
  public void endedAtHome(
      PlanStep step, HomeChoice.Away there, String range, Times times, Frame answer) {
    firstSent.sent(times.sentNanos());
    int error = Answers.errorCode(answer);
    long now = clock.nanoTime();
    add(
        new AnalyzedRequest(
            step,
            there.node(),
            range,
            (times.sentNanos() - times.forwardedNanos()) / NANOS_PER_MILLI,
            (now - times.sentNanos()) / NANOS_PER_MILLI,
            Answers.rowCount(answer),
            answer.length(),
            Double.NaN,
            Double.NaN,
            (error < 0 ? "" : ErrorCode.name(error) + "; ")
                + "waited at the node's home, the proxy "
                + there.home(),
            new When(times.forwardedNanos(), times.sentNanos(), now)));
  }

  /** Records rows that came with the answer to another read. */
  public void shared(PlanStep step, String range, Demand given, Frame own) {
    long now = clock.nanoTime();
    add(
        new AnalyzedRequest(
            step,
            null,
            range,
            (now - given.submittedNanos()) / NANOS_PER_MILLI,
            Double.NaN,
            Answers.rowCount(own),
            own.length(),
            given.predictedMicros() / MICROS_PER_MILLI,
            Double.NaN,
            "its rows came with a read of another client",
            new When(given.submittedNanos(), now, now)));
  }

  private void add(AnalyzedRequest request) {
    all.add(request);
    if (kept.size() < maxKept) {
      kept.add(request);
    } else {
      others.add(request);
    }
  }

  /** Returns the requests that are kept one by one, in the order in which they ended. */
  List<AnalyzedRequest> kept() {
    return kept;
  }

  /** Returns the number of all requests. */
  int size() {
    return all.requests;
  }

  /** Returns the kept requests in the order in which they ended, then the sums of the others. */
  List<AnalyzedRequest> requests() {
    List<AnalyzedRequest> requests = new ArrayList<>(kept);
    if (others.requests > 0) {
      String note = others.requests + " requests more, as sums";
      requests.add(sums(new PlanStep.Named("others"), others, note));
    }
    return requests;
  }

  private static AnalyzedRequest sums(PlanStep step, Sums sums, String note) {
    return new AnalyzedRequest(
        step,
        (NodeId) null,
        "",
        sums.queuedMillis,
        sums.readMillis,
        sums.rows,
        sums.bytes,
        sums.predictedMillis,
        sums.actualMillis,
        note,
        When.NEVER);
  }

  /**
   * Returns the line of the whole read.
   *
   * @param arrivalNanos when the read arrived
   * @param answer the answer that the client would get without EXPLAIN ANALYZE
   * @param page describes the page, in words
   */
  AnalyzedRequest total(long arrivalNanos, Frame answer, String page) {
    long now = clock.nanoTime();
    String requests =
        !firstSent.any() && all.requests == 0
            ? "forwarded to one node, not queued"
            : all.requests
                + (all.requests == 1 ? " request, " : " requests, ")
                + all.rows
                + " rows from nodes";
    return new AnalyzedRequest(
        new PlanStep.Named("total"),
        null,
        "",
        firstSent.any() ? (firstSent.or(now) - arrivalNanos) / NANOS_PER_MILLI : Double.NaN,
        (now - firstSent.or(arrivalNanos)) / NANOS_PER_MILLI,
        Answers.rowCount(answer),
        answer.length(),
        all.requests == 0 ? Double.NaN : all.predictedMillis,
        all.requests == 0 ? Double.NaN : all.actualMillis,
        requests + "; " + page,
        When.NEVER);
  }

  /**
   * The time at which the first of several requests was sent, on the clock of {@link
   * System#nanoTime} or another one that may overflow. Requests may be recorded in any order. Not
   * safe for several threads.
   */
  public static final class FirstSent {

    private boolean any;
    private long nanos;

    /** Records that a request was sent at this time. */
    public void sent(long atNanos) {
      if (!any || atNanos - nanos < 0) {
        any = true;
        nanos = atNanos;
      }
    }

    /** Returns the earliest recorded time; {@code otherwise} if no request was sent. */
    public long or(long otherwise) {
      return any ? nanos : otherwise;
    }

    /** Whether a request was sent. */
    boolean any() {
      return any;
    }
  }
}
