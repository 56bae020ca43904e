package io.sluice.torture.check;

import java.util.List;

/** A request with what it asked and what it was told. Values are unique in a run. */
public sealed interface Operation {
  /** The value of a row that is not there, and of a register before its first change. */
  long ABSENT = 0;

  /** The request. */
  Call call();

  /**
   * A write to a key. All writes to a key are of the same client.
   *
   * @param value the new value; {@link #ABSENT}: the row was deleted
   */
  record Write(Call call, long key, long value) implements Operation {}

  /**
   * A read of one row.
   *
   * @param value what was read, or {@link #ABSENT}; meaningless if it failed
   */
  record Read(Call call, Level level, long key, long value) implements Operation {}

  /**
   * A page of a scan.
   *
   * @param scan the number of the scan
   * @param rows the rows; none if it failed
   */
  record Page(Call call, long scan, List<Row> rows) implements Operation {
    /** Takes a copy of the rows. */
    public Page {
      rows = List.copyOf(rows);
    }

    @Override
    public String toString() {
      return "Page[" + call + ", scan=" + scan + ", rows=" + rows.size() + "]";
    }
  }

  /** A row of a page. */
  record Row(long key, long value) {}

  /**
   * A change of a register by a lightweight transaction, if it has an expected value.
   *
   * @param applied whether it was changed; meaningless if the request failed
   * @param seen the value that stood in the way if it was not
   */
  record Cas(Call call, long register, long expected, long value, boolean applied, long seen)
      implements Operation {}

  /**
   * A serial read of a register.
   *
   * @param seen its value; meaningless if it failed
   */
  record SerialRead(Call call, long register, long seen) implements Operation {}

  /** An addition of a positive number to a counter. */
  record Increment(Call call, long counter, long by) implements Operation {}

  /**
   * A read of a counter.
   *
   * @param seen its value, 0 where it is not there; meaningless if it failed
   */
  record CounterRead(Call call, long counter, long seen) implements Operation {}

  /** An addition of an element to a list, which is not the same if it is made twice. */
  record Append(Call call, long list, long element) implements Operation {}

  /**
   * A read of a whole list.
   *
   * @param elements its elements; none if it failed
   */
  record ListRead(Call call, long list, List<Long> elements) implements Operation {
    /** Takes a copy of the elements. */
    public ListRead {
      elements = List.copyOf(elements);
    }

    @Override
    public String toString() {
      return "ListRead[" + call + ", list=" + list + ", elements=" + elements.size() + "]";
    }
  }
}
