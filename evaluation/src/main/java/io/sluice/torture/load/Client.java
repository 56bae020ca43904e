package io.sluice.torture.load;

import io.sluice.torture.check.Call;
import io.sluice.torture.check.Operation;
import java.util.SplittableRandom;
import java.util.function.BiFunction;

/**
 * A client, which has one request under way at a time. Not safe for several threads.
 *
 * <p>Its choices follow from the seed and its number, its answers do not.
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

  /** Asks one thing; tells whether it succeeded. */
  abstract boolean step();

  final int number() {
    return number;
  }

  final Journal journal() {
    return journal;
  }

  /** Whether something happens that does so once in so many times. */
  final boolean oneIn(int times) {
    return random.nextInt(times) == 0;
  }

  final long below(long bound) {
    return random.nextLong(bound);
  }

  /** Asks through any session, and records what was asked and told. */
  final Answer ask(Ask ask, BiFunction<Call, Answer, Operation> operation) {
    Journal.Question question = journal.ask(number, operation);
    return journal.told(question, sessions.ask(ask, random));
  }
}
