package io.sluice;

import static io.sluice.TestRequests.query;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests a client that names many keyspaces at once, none of which exist. */
class ManyKeyspacesTest {

  private final PathFixture fixture = new PathFixture(1);

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void each_use_is_answered_and_the_node_gets_few_logins() throws InterruptedException {
    AtomicInteger logins = new AtomicInteger();
    fixture
        .nodes
        .get(0)
        .admits(
            request -> {
              logins.incrementAndGet();
              return CqlCodec.ready(4);
            })
        .does(request -> CqlCodec.error(4, ErrorCode.INVALID, "Keyspace does not exist"));
    List<PathFixture.Asked> asked = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      asked.add(fixture.ask(query("USE nosuch" + i)));
    }
    for (PathFixture.Asked each : asked) {
      assertThat(each.answer()).isEqualTo("2200");
    }
    assertThat(logins).hasValueBetween(1, 8);
  }
}
