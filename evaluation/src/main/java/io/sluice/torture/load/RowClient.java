package io.sluice.torture.load;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.sluice.torture.check.Level;
import io.sluice.torture.check.Operation;
import java.util.concurrent.TimeUnit;

/**
 * A client that writes the rows of its own keys, with its own timestamps, and reads all rows. Not
 * safe for several threads.
 */
final class RowClient extends Client {
  private final int writer;
  private final int writers;
  private long lastTimestamp;

  /**
   * Creates a client.
   *
   * @param writer number of the client among the writers, from 0 on
   * @param writers number of clients that share the keys
   */
  RowClient(int number, long seed, Sessions sessions, Journal journal, int writer, int writers) {
    super(number, seed, sessions, journal);
    this.writer = writer;
    this.writers = writers;
  }

  /** Writes all its keys for the first time, at ALL. Returns whether all were written. */
  boolean load() {
    for (Table table : Table.values()) {
      for (long key = table.firstKey(); key <= table.lastKey(); key++) {
        if (isOwn(key) && !write(table, key, journal().newValue(), DefaultConsistencyLevel.ALL)) {
          return false;
        }
      }
    }
    return true;
  }

  @Override
  boolean step() {
    Table table = oneIn(2) ? Table.NARROW : Table.WIDE;
    if (oneIn(3)) {
      return read(table, any(table), oneIn(3) ? Level.ONE : Level.QUORUM);
    }
    long key = anyOwn(table);
    boolean deletes = Table.mayBeDeleted(key) && oneIn(3);
    long value = deletes ? Operation.ABSENT : journal().newValue();
    return write(table, key, value, DefaultConsistencyLevel.QUORUM);
  }

  /** Reads all its rows at QUORUM. */
  void readAll(Table table) {
    for (long key = table.firstKey(); key <= table.lastKey(); key++) {
      if (isOwn(key)) {
        read(table, key, Level.QUORUM);
      }
    }
  }

  private boolean isOwn(long key) {
    return key % writers == writer;
  }

  private long any(Table table) {
    return table.firstKey() + below(table.lastKey() - table.firstKey() + 1);
  }

  private long anyOwn(Table table) {
    long key = any(table);
    while (!isOwn(key)) {
      key = any(table);
    }
    return key;
  }

  private boolean write(Table table, long key, long value, DefaultConsistencyLevel level) {
    Ask ask = table.write(key, value).at(level).stamped(newTimestamp());
    return ask(ask, (call, answer) -> new Operation.Write(call, key, value)).failure() == null;
  }

  private boolean read(Table table, long key, Level level) {
    Ask ask = table.read(key).at(Levels.of(level));
    return ask(
                ask,
                (call, answer) ->
                    new Operation.Read(call, level, key, answer.value(Operation.ABSENT)))
            .failure()
        == null;
  }

  /** Returns a timestamp later than the last one, even if the clock goes back. */
  private long newTimestamp() {
    long now = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
    lastTimestamp = Math.max(lastTimestamp + 1, now);
    return lastTimestamp;
  }
}
