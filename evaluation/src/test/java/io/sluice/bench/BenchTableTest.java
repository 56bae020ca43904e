package io.sluice.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.protocol.internal.ProtocolConstants.ErrorCode;
import io.sluice.fake.FakeNode;
import io.sluice.fake.Flaw;
import io.sluice.rawcql.ErrorResponse;
import io.sluice.rawcql.RawCql;
import java.io.EOFException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The creation of the table, the wait until all nodes know it, and its end. */
class BenchTableTest {
  private static final String ROW = "INSERT INTO sluice_bench.t (k, v) VALUES (1, 'one row')";

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

  /** Creates the table at a node, without pauses, and closes it. Returns what the user gets. */
  private static String createAndClose(FakeNode node, BenchTable.Connector connector) {
    StringWriter err = new StringWriter();
    try (BenchTable table =
        BenchTable.at(node.address(), connector, new PrintWriter(err), () -> {})) {
      table.create();
    } catch (IOException e) {
      err.write("failed: " + e.getMessage());
    }
    return err.toString();
  }

  private static RawCql connect(InetSocketAddress address) throws IOException {
    return RawCql.connect(address, 4, 20_000, "", "");
  }

  @Test
  void a_table_whose_row_cannot_be_written_is_dropped() {
    try (FakeNode node = FakeNode.start()) {
      node.spoil(ROW, 50, Flaw.error(ErrorCode.UNAVAILABLE));

      assertThat(createAndClose(node, BenchTableTest::connect)).startsWith("failed: a fault");

      assertThat(node.count(ROW)).isEqualTo(50);
      assertThat(node.has("sluice_bench.t")).as("the table afterwards").isFalse();
    }
  }

  @Test
  void the_user_gets_the_statement_if_the_node_is_lost() {
    try (FakeNode node = FakeNode.start()) {
      AtomicInteger connections = new AtomicInteger();

      assertThat(
              createAndClose(
                  node,
                  address -> {
                    if (connections.getAndIncrement() > 0) {
                      throw new IOException("refused");
                    }
                    return connect(address);
                  }))
          .isEqualToIgnoringNewLines(
              "A keyspace is not dropped (refused). Please run: DROP KEYSPACE IF EXISTS"
                  + " sluice_benchfailed: refused");
    }
  }
}
