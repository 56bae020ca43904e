package io.sluice.torture.load;

import io.sluice.torture.check.Call;
import io.sluice.torture.check.Operation;
import java.util.SplittableRandom;
import java.util.function.BiFunction;

/**
 * A client with one request in flight at a time. Not safe for several threads.
 *
 * <p>Its choices follow from the seed and its number; its answers do not.
 */
abstract class Client {
  private final int number;
  private final Sessions sessions;
  private final Journal journal;
  private final SplittableRandom random;

  Client(int number, long seed, Sessions sessions, Journal journal) {
    this.number = number;
    this.sessions = sessions;
    this.journal = journal;
    this.random = new SplittableRandom(seed * 1_000 + number);
  }

  /** Sends one request. Returns whether it succeeded. */
  abstract boolean step();

  final int number() {
    return number;
  }

  final Journal journal() {
    return journal;
  }

  /** Whether a random event of probability 1 / {@code times} happens. */
  final boolean oneIn(int times) {
    return random.nextInt(times) == 0;
  }

  final long below(long bound) {
    return random.nextLong(bound);
  }

  /** Sends a request through any session, and records it with its outcome. */
  final Answer ask(Ask ask, BiFunction<Call, Answer, Operation> operation) {
    Journal.Pending pending = journal.ask(number, operation);
    return journal.onOutcome(pending, sessions.ask(ask, random));
  }
}
