package io.sluice.torture.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.NoNodeAvailableException;
import com.datastax.oss.driver.api.core.NodeUnavailableException;
import com.datastax.oss.driver.api.core.connection.ClosedConnectionException;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.OverloadedException;
import io.sluice.fake.FakeNode;
import io.sluice.torture.check.Failure;
import io.sluice.torture.check.Failure.Kind;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FailuresTest {
  @Test
  void a_connection_that_is_lost_or_cannot_be_had_is_closed() {
    assertThat(Failures.of(new ClosedConnectionException("lost")).kind()).isEqualTo(Kind.CLOSED);
    assertThat(Failures.of(new NoNodeAvailableException()).kind()).isEqualTo(Kind.CLOSED);
    assertThat(Failures.of(new ClosedChannelException()).kind()).isEqualTo(Kind.CLOSED);
    assertThat(Failures.of(AllNodesFailedException.fromErrors(List.of())).kind())
        .isEqualTo(Kind.CLOSED);
  }

  @Test
  void a_request_that_no_node_accepts_has_the_address_of_each_closed_one() {
    try (FakeNode first = FakeNode.start();
        FakeNode second = FakeNode.start();
        CqlSession one = first.open();
        CqlSession other = second.open()) {
      Node closed = one.getMetadata().getNodes().values().iterator().next();
      Node loaded = other.getMetadata().getNodes().values().iterator().next();

      Failure failure =
          Failures.of(
              AllNodesFailedException.fromErrors(
                  List.of(
                      Map.entry(loaded, new OverloadedException(loaded)),
                      Map.entry(closed, new NodeUnavailableException(closed)))));

      assertThat(failure.kind()).isEqualTo(Kind.CLOSED);
      assertThat(failure.closedAt()).containsExactly("127.0.0.1:" + first.address().getPort());
    }
  }

  @Test
  void no_fault_excuses_a_request_without_an_outcome() {
    assertThat(Failures.of(new DriverTimeoutException("30 s")))
        .isEqualTo(new Failure(Kind.NO_ANSWER, "DriverTimeoutException: 30 s"));
  }

  @Test
  void no_fault_excuses_an_unknown_error() {
    assertThat(Failures.of(new IllegalStateException("?")).kind()).isEqualTo(Kind.OTHER);
    assertThat(Kind.OTHER.allowed()).isFalse();
  }

  @Test
  void causes_are_reported_up_to_a_limit() {
    Throwable error = new ClosedConnectionException("lost", new IOException("reset by peer"));

    assertThat(Failures.of(error).text())
        .isEqualTo("ClosedConnectionException: lost <- IOException: reset by peer");
    assertThat(Failures.of(new IllegalStateException("x".repeat(1_000))).text()).hasSize(324);
  }

  @Test
  void an_error_that_is_its_own_cause_in_a_circle_has_an_end() {
    Exception first = new IllegalStateException("a");
    first.initCause(new IllegalStateException("b", first));

    assertThat(Failures.of(first).text().split(" <- ")).hasSize(5);
  }
}
