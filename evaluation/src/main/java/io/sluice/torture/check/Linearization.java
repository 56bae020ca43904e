package io.sluice.torture.check;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The search of Wing and Gong for an order of a register's operations that explains what they were
 * told and in which no operation comes before one that ended before it began. As in Lowe's and
 * Knossos' searches, a set of ordered operations with a value that was tried is not tried again.
 */
final class Linearization {
  private final List<Step> steps;
  private final long limit;
  private final Set<State> tried = new HashSet<>();
  private final Deque<State> open = new ArrayDeque<>();
  private int mostOrdered = -1;
  private int stuckAt;

  private Linearization(List<Step> steps, long limit) {
    this.steps = steps;
    this.limit = limit;
  }

  /**
   * An operation of a register.
   *
   * @param begin when it was asked
   * @param end when its outcome was told; {@link Long#MAX_VALUE} if that is unknown
   * @param mustBe the value before it; meaningless if {@code refused}
   * @param becomes the value after it
   * @param refused whether it left the value, which is {@code becomes} and not {@code mustBe}
   * @param optional whether it may not have been at all
   */
  record Step(long begin, long end, long mustBe, long becomes, boolean refused, boolean optional) {

    /** A change that was applied. */
    static Step change(long begin, long end, long expected, long value) {
      return new Step(begin, end, expected, value, false, false);
    }

    /** A change of unknown outcome, which may be at any time from its beginning on, or never. */
    static Step open(long begin, long expected, long value) {
      return new Step(begin, Long.MAX_VALUE, expected, value, false, true);
    }

    /** A change that was not applied. */
    static Step refusal(long begin, long end, long expected, long seen) {
      return new Step(begin, end, expected, seen, true, false);
    }

    /** A read. */
    static Step read(long begin, long end, long seen) {
      return new Step(begin, end, seen, seen, false, false);
    }

    boolean fits(long value) {
      return refused ? value == becomes && value != mustBe : value == mustBe;
    }
  }

  /** The end of a search. */
  enum Verdict {
    POSSIBLE,
    IMPOSSIBLE,
    UNDECIDED
  }

  /**
   * The end of a search.
   *
   * @param stuckAt the first operation that has no place in the longest order
   */
  record Result(Verdict verdict, int stuckAt) {}

  /** All steps before {@code first} are ordered, and those of {@code later}. */
  private record State(int first, BitSet later, long value) {}

  /**
   * Searches.
   *
   * @param steps in the order of their beginnings
   * @param limit after how many states the search is given up
   */
  static Result search(List<Step> steps, long limit) {
    return new Linearization(steps, limit).run();
  }

  private Result run() {
    push(0, new BitSet(), Operation.ABSENT);
    while (!open.isEmpty()) {
      if (tried.size() > limit) {
        return new Result(Verdict.UNDECIDED, stuckAt);
      }
      State state = open.pop();
      if (firstLeft(state) == steps.size()) {
        return new Result(Verdict.POSSIBLE, steps.size());
      }
      expand(state);
    }
    return new Result(Verdict.IMPOSSIBLE, stuckAt);
  }

  /**
   * The next operation is one that began before all others that are left have ended. The first of
   * them is tried first.
   */
  private void expand(State state) {
    for (int i = lastCandidate(state); i >= state.first(); i--) {
      Step step = steps.get(i);
      if (!state.later().get(i) && step.fits(state.value())) {
        BitSet later = (BitSet) state.later().clone();
        later.set(i);
        push(state.first(), later, step.becomes());
      }
    }
  }

  private int lastCandidate(State state) {
    long earliestEnd = Long.MAX_VALUE;
    int last = state.first();
    for (int i = state.first(); i < steps.size() && steps.get(i).begin() <= earliestEnd; i++) {
      if (!state.later().get(i)) {
        earliestEnd = Math.min(earliestEnd, steps.get(i).end());
      }
      last = i;
    }
    return last;
  }

  private void push(int from, BitSet later, long value) {
    int first = later.nextClearBit(from);
    later.clear(0, first);
    State state = new State(first, later, value);
    if (tried.add(state)) {
      open.push(state);
      int ordered = first + later.cardinality();
      if (ordered > mostOrdered) {
        mostOrdered = ordered;
        stuckAt = firstLeft(state);
      }
    }
  }

  /** The first operation that has no place yet and must have one; the number of all if none. */
  private int firstLeft(State state) {
    int i = state.first();
    while (i < steps.size() && (state.later().get(i) || steps.get(i).optional())) {
      i++;
    }
    return i;
  }
}
