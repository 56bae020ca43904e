package io.sluice.accept;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.time.TestLane;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

class FaultLogTest {

  private final TestLane clock = new TestLane();
  private final FaultLog faults = new FaultLog(clock);

  @Test
  void an_address_gets_one_line_in_ten_seconds() {
    assertThat(faults.line("10.0.0.1", "sent junk")).isEqualTo("Client 10.0.0.1 sent junk");
    assertThat(faults.line("10.0.0.1", "sent junk")).isNull();
    assertThat(faults.line("10.0.0.2", "sent junk")).isNotNull();
    clock.pass(9_999);
    assertThat(faults.line("10.0.0.1", "sent junk")).isNull();
    clock.pass(1);
    assertThat(faults.line("10.0.0.1", "sent junk"))
        .isEqualTo("Client 10.0.0.1 sent junk (and 2 lines before that were left out)");
  }

  @Test
  void a_message_is_one_short_line_whatever_it_quotes() {
    assertThat(faults.line("a", "sent a\r\nINFO forged\u001b[2J" + "x".repeat(10_000)))
        .startsWith("Client a sent a INFO forged [2Jxx")
        .hasSizeLessThan(250);
  }

  @Test
  void disconnects_are_counted_by_their_reason() {
    faults.disconnected(Disconnect.PLACES, null, "x");
    faults.disconnected(Disconnect.PLACES, null, "x");
    assertThat(faults.count(Disconnect.PLACES)).isEqualTo(2);
    assertThat(faults.count(Disconnect.HANDSHAKE)).isZero();
  }

  private static Throwable failureAt(int line) {
    Throwable failure = new IllegalStateException("x");
    failure.setStackTrace(new StackTraceElement[] {new StackTraceElement("C", "m", "C", line)});
    return failure;
  }

  @Test
  void each_place_in_the_code_gets_one_stack_trace_and_all_together_a_hundred() {
    assertThat(faults.isNew(failureAt(1))).isTrue();
    assertThat(faults.isNew(failureAt(1))).isFalse();
    int traces = 1;
    for (int line = 2; line < 1_000; line++) {
      traces += faults.isNew(failureAt(line)) ? 1 : 0;
    }
    assertThat(traces).isEqualTo(100);
  }

  @Test
  void many_addresses_take_bounded_memory() {
    int lines = 0;
    for (int i = 0; i < 100_000; i++) {
      lines += faults.line("address " + i, "x") == null ? 0 : 1;
    }
    assertThat(lines).isEqualTo(1_000);
    clock.pass(10_000);
    assertThat(faults.line("one more", "x")).isNotNull();
  }

  @Test
  void lines_of_addresses_beyond_the_most_are_counted_in_the_next_line() {
    for (int i = 0; i < 1_007; i++) {
      faults.line("address " + i, "x");
    }
    for (int i = 0; i < 3; i++) {
      assertThat(faults.line("address 0", "x")).isNull();
      assertThat(faults.line("address 1", "x")).isNull();
    }
    clock.pass(10_000);
    assertThat(faults.line("address 0", "x"))
        .isEqualTo(
            "Client address 0 x (and 3 lines before that were left out)"
                + " (and 7 lines of other addresses were left out)");
    assertThat(faults.line("one more", "x"))
        .as("address 1 has no line of its own any more")
        .isEqualTo("Client one more x (and 3 lines of other addresses were left out)");
    assertThat(faults.line("another", "x")).isEqualTo("Client another x");
  }

  @Test
  void lines_of_refused_and_failed_requests_share_the_pause_of_their_address() {
    InetSocketAddress client = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    String host = client.getHostString();
    faults.refused(client, "was refused");
    assertThat(faults.line(host, "x")).isNull();
    faults.disconnected(Disconnect.PROTOCOL, client, "x");
    Throwable failure = failureAt(1);
    faults.failed(client, failure);
    faults.failed(client, failure);
    clock.pass(10_000);
    assertThat(faults.line(host, "x"))
        .as("a stack trace is no line of its address")
        .isEqualTo("Client " + host + " x (and 3 lines before that were left out)");
  }

  @Test
  void an_address_that_is_not_known_any_more_is_one_address() {
    faults.refused(null, "x");
    assertThat(faults.line("null", "x")).isNull();
  }

  @Test
  void a_failure_without_a_stack_is_told_by_its_class() {
    Throwable bare =
        new IllegalStateException("x") {
          private static final long serialVersionUID = 1L;

          @Override
          public StackTraceElement[] getStackTrace() {
            return new StackTraceElement[0];
          }
        };
    assertThat(faults.isNew(bare)).isTrue();
    assertThat(faults.isNew(bare)).isFalse();
  }
}
