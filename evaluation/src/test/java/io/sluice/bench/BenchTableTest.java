package io.sluice.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.rawcql.ErrorResponse;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** The wait until all nodes know the table. */
class BenchTableTest {
  private final IOException unknown = new ErrorResponse("unconfigured table t", 0x2200);
  private int pauses;

  /** Sends requests that fail with these exceptions, one after another, and then succeed. */
  private String send(IOException... failures) throws IOException {
    Queue<IOException> left = new ArrayDeque<>(List.of(failures));
    return BenchTable.untilSchemaAgrees(
        () -> {
          IOException failure = left.poll();
          if (failure != null) {
            throw failure;
          }
          return "a response";
        },
        () -> pauses++);
  }

  @Test
  void an_error_of_a_node_is_waited_out() throws IOException {
    assertThat(send(unknown, unknown)).isEqualTo("a response");
    assertThat(pauses).isEqualTo(2);
  }

  @Test
  void a_lost_connection_is_not_used_again() {
    assertThatThrownBy(() -> send(unknown, new EOFException("closed")))
        .isInstanceOf(EOFException.class);
    assertThat(pauses).isEqualTo(1);
  }

  @Test
  void an_error_that_stays_is_the_outcome() {
    IOException[] errors = new IOException[60];
    Arrays.fill(errors, unknown);
    assertThatThrownBy(() -> send(errors)).isSameAs(unknown);
    assertThat(pauses).isEqualTo(49);
  }
}
