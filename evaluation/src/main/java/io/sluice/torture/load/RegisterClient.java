package io.sluice.torture.load;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.Row;
import io.sluice.torture.check.Operation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A client that changes registers by lightweight transactions and reads them. A change expects the
 * last value that the client got. Not safe for several threads.
 */
final class RegisterClient extends Client {
  private static final long REGISTERS = 6;

  private final Map<Long, Long> lastSeen = new HashMap<>();

  RegisterClient(int number, long seed, Sessions sessions, Journal journal) {
    super(number, seed, sessions, journal);
  }

  @Override
  boolean step() {
    long register = below(REGISTERS);
    return oneIn(3) ? read(register) : change(register);
  }

  /** Reads every register. */
  void readAll() {
    for (long register = 0; register < REGISTERS; register++) {
      read(register);
    }
  }

  private boolean read(long register) {
    Ask ask = Ask.of(Text.READ_REGISTER, List.of(register)).at(DefaultConsistencyLevel.SERIAL);
    Answer answer =
        ask(
            ask,
            (call, outcome) ->
                new Operation.SerialRead(call, register, outcome.value(Operation.ABSENT)));
    if (answer.failure() == null) {
      lastSeen.put(register, answer.value(Operation.ABSENT));
    }
    return answer.failure() == null;
  }

  private boolean change(long register) {
    long expected = lastSeen.getOrDefault(register, Operation.ABSENT);
    long value = journal().newValue();
    Ask ask =
        expected == Operation.ABSENT
            ? Ask.of(Text.BEGIN_REGISTER, List.of(register, value))
            : Ask.of(Text.CHANGE_REGISTER, List.of(value, register, expected));
    Answer answer =
        ask(
            ask,
            (call, outcome) ->
                new Operation.Cas(
                    call,
                    register,
                    expected,
                    value,
                    applied(outcome),
                    applied(outcome) ? 0 : seen(outcome)));
    if (answer.failure() == null) {
      lastSeen.put(register, applied(answer) ? value : seen(answer));
    }
    return answer.failure() == null;
  }

  private static boolean applied(Answer answer) {
    Row row = answer.only();
    return row != null && row.getBoolean("[applied]");
  }

  /**
   * Returns the value that prevented a change. The response for a missing register has no such
   * column.
   */
  private static long seen(Answer answer) {
    Row row = answer.only();
    boolean isThere = row != null && row.getColumnDefinitions().contains("v");
    return isThere ? answer.value(Operation.ABSENT) : Operation.ABSENT;
  }
}
