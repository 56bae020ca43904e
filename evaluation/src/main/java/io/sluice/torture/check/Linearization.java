package io.sluice.torture.check;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Searches an order of a register's operations that explains their outcomes, with the algorithm of
 * Wing and Gong. In such an order no operation comes before one that had ended before it began. As
 * in the searches of Lowe and Knossos, a set of ordered operations with a value is tried only once.
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
   * An operation on a register.
   *
   * @param begin time at which it was sent
   * @param end time of its outcome; {@link Long#MAX_VALUE} if the outcome is unknown
   * @param mustBe value before the operation; if {@code refused}, the expected value
   * @param becomes value after the operation
   * @param refused whether the value stayed {@code becomes}, because it was not {@code mustBe}
   * @param optional whether the operation may never have taken effect
   */
  record Step(long begin, long end, long mustBe, long becomes, boolean refused, boolean optional) {

    /** Returns a change that was applied. */
    static Step change(long begin, long end, long expected, long value) {
      return new Step(begin, end, expected, value, false, false);
    }

    /**
     * Returns a change of unknown outcome. It takes effect at any time after its begin, or never.
     */
    static Step open(long begin, long expected, long value) {
      return new Step(begin, Long.MAX_VALUE, expected, value, false, true);
    }

    /** Returns a change that was not applied. */
    static Step refusal(long begin, long end, long expected, long seen) {
      return new Step(begin, end, expected, seen, true, false);
    }

    /** Returns a read. */
    static Step read(long begin, long end, long seen) {
      return new Step(begin, end, seen, seen, false, false);
    }

    boolean fits(long value) {
      return refused ? value == becomes && value != mustBe : value == mustBe;
    }
  }

  /** The outcome of a search. */
  enum Verdict {
    POSSIBLE,
    IMPOSSIBLE,
    UNDECIDED
  }

  /**
   * The result of a search.
   *
   * @param stuckAt the first operation that has no place in the longest order found
   */
  record Result(Verdict verdict, int stuckAt) {}

  /**
   * A node of the search: all steps before {@code first} and those in {@code later} are ordered.
   */
  private record State(int first, BitSet later, long value) {}

  /**
   * Searches an order.
   *
   * @param steps in the order of their begin
   * @param limit number of states after which the search is given up
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
   * Tries each operation that can come next: it began before all other remaining ones had ended.
   * The earliest is tried first.
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

  /**
   * Returns the first operation that must have a place and has none yet; the number of steps if
   * there is none.
   */
  private int firstLeft(State state) {
    int i = state.first();
    while (i < steps.size() && (state.later().get(i) || steps.get(i).optional())) {
      i++;
    }
    return i;
  }
}
