package io.sluice;

import static io.sluice.TestRequests.query;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.wire.CqlCodec;
import io.sluice.wire.FakeNode;
import io.sluice.wire.Frame;
import io.sluice.wire.Identity;
import io.sluice.wire.TestRows;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the query to nodes whether a role is a superuser, with nodes that cannot answer it. */
class SuperusersTest {

  private static final String OPERATORS_ONLY = "SELECT key FROM system_proxy.settings";

  private final PathFixture fixture = new PathFixture(2);
  private final AtomicInteger asked = new AtomicInteger();

  @BeforeEach
  void logIn() {
    fixture.client.proven = Identity.plain("alice", "secret");
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private static Frame superuser() {
    return new TestRows("role text, super boolean")
        .row(
            ByteBuffer.wrap("alice".getBytes(StandardCharsets.UTF_8)),
            ByteBuffer.wrap(new byte[] {1}))
        .frame();
  }

  /** Lets the node that is asked first do this, and the others report a superuser. */
  private void firstDoes(FakeNode.Script first) {
    fixture.allDo(request -> asked.getAndIncrement() == 0 ? first.answer(request) : superuser());
  }

  @Test
  void another_node_is_asked_when_one_cannot_read_the_roles() throws InterruptedException {
    firstDoes(request -> CqlCodec.unavailable(4, "no roles", 1, 1, 0));
    assertThat(fixture.ask(query(OPERATORS_ONLY)).answer()).isEqualTo("rows");
    assertThat(asked).hasValue(2);
  }

  @Test
  void another_node_is_asked_when_one_is_silent() throws InterruptedException {
    for (FakeNode node : fixture.nodes) {
      node.does(
          request -> {
            if (asked.getAndIncrement() > 0) {
              return superuser();
            }
            node.hangs();
            return null;
          });
    }
    assertThat(fixture.ask(query(OPERATORS_ONLY)).answer()).isEqualTo("rows");
    assertThat(asked).hasValue(2);
  }

  @Test
  void nothing_is_remembered_of_nodes_that_cannot_read_the_roles() throws InterruptedException {
    fixture.allDo(request -> CqlCodec.unavailable(4, "no roles", 1, 1, 0));
    PathFixture.Asked refused = fixture.ask(query(OPERATORS_ONLY));
    assertThat(refused.answer()).isEqualTo("0000");
    assertThat(refused.words).contains("No node could be asked for the roles").contains("no roles");
    fixture.allDo(request -> superuser());
    assertThat(fixture.ask(query(OPERATORS_ONLY)).answer()).isEqualTo("rows");
  }
}
