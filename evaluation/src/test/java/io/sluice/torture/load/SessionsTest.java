package io.sluice.torture.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.protocol.internal.response.result.Void;
import io.sluice.fake.FakeNode;
import io.sluice.torture.check.Failure;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The sessions of the clients at a node in memory. */
class SessionsTest {
  @Test
  void a_connection_that_is_lost_during_a_request_has_the_address_of_its_node() {
    try (TortureStore store = new TortureStore()) {
      FakeNode node = store.node();
      node.spoil(
          "",
          1,
          rightly -> {
            node.close();
            return Void.INSTANCE;
          });
      Journal journal = new Journal();

      new CounterClient(0, 1, store.sessions(), journal).step();

      Failure failure =
          Objects.requireNonNull(journal.history().operations().get(0).call().failure());
      assertThat(failure.kind()).isEqualTo(Failure.Kind.CLOSED);
      assertThat(failure.closedAt()).containsExactly("127.0.0.1:" + node.address().getPort());
    }
  }
}
