package io.sluice.torture.check;

import java.util.List;

/** A request with its outcome. Values are unique in a run. */
public sealed interface Operation {
  /** The value of a missing row, and of a register before its first change. */
  long ABSENT = 0;

  /** Returns the request. */
  Call call();

  /**
   * A write to a key. All writes to a key come from the same client.
   *
   * @param value the new value; {@link #ABSENT} if the row was deleted
   */
  record Write(Call call, long key, long value) implements Operation {}

  /**
   * A read of one row.
   *
   * @param value the value, or {@link #ABSENT}; meaningless if the read failed
   */
  record Read(Call call, Level level, long key, long value) implements Operation {}

  /**
   * A page of a scan.
   *
   * @param scan the number of the scan
   * @param rows the rows; none if the request failed
   */
  record Page(Call call, long scan, List<Row> rows) implements Operation {
    /** Copies the rows. */
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
   * A change of a register by a lightweight transaction, conditional on an expected value.
   *
   * @param applied whether the change was applied; meaningless if the request failed
   * @param seen the current value if the change was not applied
   */
  record Cas(Call call, long register, long expected, long value, boolean applied, long seen)
      implements Operation {}

  /**
   * A serial read of a register.
   *
   * @param seen its value; meaningless if the read failed
   */
  record SerialRead(Call call, long register, long seen) implements Operation {}

  /** An increment of a counter by a positive number. */
  record Increment(Call call, long counter, long by) implements Operation {}

  /**
   * A read of a counter.
   *
   * @param seen its value, 0 if the counter does not exist; meaningless if the read failed
   */
  record CounterRead(Call call, long counter, long seen) implements Operation {}

  /** An append of an element to a list. Appends are not idempotent. */
  record Append(Call call, long list, long element) implements Operation {}

  /**
   * A read of a whole list.
   *
   * @param elements its elements; none if the read failed
   */
  record ListRead(Call call, long list, List<Long> elements) implements Operation {
    /** Copies the elements. */
    public ListRead {
      elements = List.copyOf(elements);
    }

    @Override
    public String toString() {
      return "ListRead[" + call + ", list=" + list + ", elements=" + elements.size() + "]";
    }
  }

  /**
   * An answer that belongs to no request in flight, such as a second answer to a request.
   *
   * @param answer the answer, for the report
   */
  record Surplus(Call call, String answer) implements Operation {}
}
