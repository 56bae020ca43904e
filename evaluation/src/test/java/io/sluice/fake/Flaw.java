package io.sluice.fake;

import com.datastax.oss.protocol.internal.Message;
import com.datastax.oss.protocol.internal.ProtocolConstants.ConsistencyLevel;
import com.datastax.oss.protocol.internal.ProtocolConstants.ErrorCode;
import com.datastax.oss.protocol.internal.ProtocolConstants.WriteType;
import com.datastax.oss.protocol.internal.response.Error;
import com.datastax.oss.protocol.internal.response.error.ReadFailure;
import com.datastax.oss.protocol.internal.response.error.ReadTimeout;
import com.datastax.oss.protocol.internal.response.error.Unavailable;
import com.datastax.oss.protocol.internal.response.error.WriteFailure;
import com.datastax.oss.protocol.internal.response.error.WriteTimeout;
import com.datastax.oss.protocol.internal.response.result.DefaultRows;
import com.datastax.oss.protocol.internal.response.result.Rows;
import com.datastax.oss.protocol.internal.response.result.Void;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** A fault of a node: its response to a statement in place of the right one. */
public interface Flaw {
  /** The statement without the fault. */
  interface Right {
    /** Executes the statement, and returns the right response. */
    @CanIgnoreReturnValue
    Message execute();
  }

  /**
   * Returns the response.
   *
   * @param rightly the statement without the fault
   */
  Message answer(Right rightly);

  /** Returns an error, and does not execute the statement. */
  static Flaw error(int code) {
    return rightly -> message(code);
  }

  private static Error message(int code) {
    String text = "a fault of the test";
    return switch (code) {
      case ErrorCode.UNAVAILABLE -> new Unavailable(text, ConsistencyLevel.QUORUM, 2, 1);
      case ErrorCode.READ_TIMEOUT -> new ReadTimeout(text, ConsistencyLevel.QUORUM, 1, 2, false);
      case ErrorCode.WRITE_TIMEOUT ->
          new WriteTimeout(text, ConsistencyLevel.QUORUM, 1, 2, WriteType.SIMPLE);
      case ErrorCode.READ_FAILURE ->
          new ReadFailure(text, ConsistencyLevel.QUORUM, 1, 2, 1, Map.of(), false);
      case ErrorCode.WRITE_FAILURE ->
          new WriteFailure(text, ConsistencyLevel.QUORUM, 1, 2, 1, Map.of(), WriteType.SIMPLE);
      default -> new Error(code, text);
    };
  }

  /** Acknowledges a write without executing it. */
  static Flaw lost() {
    return rightly -> Void.INSTANCE;
  }

  /** Executes a statement twice. */
  static Flaw twice() {
    return rightly -> {
      Message first = rightly.execute();
      rightly.execute();
      return first;
    };
  }

  /** Executes a write, and reports an error. */
  static Flaw doneWithError(int code) {
    return rightly -> {
      rightly.execute();
      return message(code);
    };
  }

  /** Changes the rows of an answer. */
  static Flaw rows(UnaryOperator<List<List<ByteBuffer>>> change) {
    return rightly -> {
      Rows right = (Rows) rightly.execute();
      List<List<ByteBuffer>> changed = change.apply(new ArrayList<>(right.getData()));
      return new DefaultRows(right.getMetadata(), new ArrayDeque<>(changed));
    };
  }

  /** Leaves the last row of an answer out. */
  static Flaw withoutLastRow() {
    return rows(all -> all.isEmpty() ? all : all.subList(0, all.size() - 1));
  }

  /** Shows the first row of an answer twice. */
  static Flaw firstRowTwice() {
    return rows(
        all -> {
          List<List<ByteBuffer>> more = new ArrayList<>(all);
          all.stream().findFirst().ifPresent(row -> more.add(copy(row)));
          return more;
        });
  }

  private static List<ByteBuffer> copy(List<ByteBuffer> row) {
    List<ByteBuffer> copy = new ArrayList<>();
    for (ByteBuffer value : row) {
      copy.add(value == null ? null : value.duplicate());
    }
    return copy;
  }
}
