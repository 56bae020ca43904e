package io.sluice;

import static io.sluice.TestRequests.query;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.wire.CqlCodec;
import io.sluice.wire.CqlRequest;
import io.sluice.wire.FakeNode;
import io.sluice.wire.Frame;
import io.sluice.wire.Identity;
import io.sluice.wire.TestRows;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

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

  @Test
  void another_node_is_asked_when_one_dies() throws InterruptedException {
    fixture.nodes.forEach(
        node ->
            node.does(
                request -> {
                  if (asked.getAndIncrement() > 0) {
                    return superuser();
                  }
                  node.die();
                  return null;
                }));
    assertThat(fixture.ask(query(OPERATORS_ONLY)).answer()).isEqualTo("rows");
    assertThat(asked).hasValue(2);
  }

  @Test
  void another_node_is_asked_when_one_answers_something_else() throws InterruptedException {
    firstDoes(request -> CqlCodec.done(4));
    assertThat(fixture.ask(query(OPERATORS_ONLY)).answer()).isEqualTo("rows");
    assertThat(asked).hasValue(2);
  }

  @Test
  void an_error_without_rows_is_named_when_all_nodes_answer_something_else()
      throws InterruptedException {
    fixture.allDo(request -> CqlCodec.done(4));
    PathFixture.Asked refused = fixture.ask(query(OPERATORS_ONLY));
    assertThat(refused.answer()).isEqualTo("0000");
    assertThat(refused.words).endsWith("for the roles of this client: unexpected answer");
  }

  private static ByteBuffer text(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  private static ByteBuffer flag(int value) {
    return ByteBuffer.wrap(new byte[] {(byte) value});
  }

  static Stream<Arguments> roles() {
    TestRows roles = new TestRows("role text, super boolean");
    return Stream.of(
        Arguments.of(roles, "2100"),
        Arguments.of(new TestRows("role text, super boolean").row(text("alice"), flag(0)), "2100"),
        Arguments.of(new TestRows("role text, super boolean").row(text("alice"), null), "2100"),
        Arguments.of(new TestRows("role text").row(text("alice")), "2100"),
        Arguments.of(
            new TestRows("role text, super boolean")
                .row(text("alice"), flag(0))
                .row(text("admins"), flag(1)),
            "rows"));
  }

  /** A role is a superuser by itself, or by a role that was granted to it. */
  @ParameterizedTest
  @MethodSource("roles")
  void a_role_is_a_superuser_if_one_of_its_roles_is(TestRows roles, String answer)
      throws InterruptedException {
    fixture.allDo(request -> roles.frame());
    assertThat(fixture.ask(query(OPERATORS_ONLY)).answer()).isEqualTo(answer);
  }

  @Test
  void the_name_of_a_role_may_have_a_quote() throws InterruptedException {
    fixture.client.proven = Identity.plain("o'brien", "secret");
    Queue<String> questions = new ConcurrentLinkedQueue<>();
    fixture.allDo(
        request -> {
          if (CqlRequest.of(request) instanceof CqlRequest.Query question) {
            questions.add(question.cql());
          }
          return superuser();
        });
    assertThat(fixture.ask(query(OPERATORS_ONLY)).answer()).isEqualTo("rows");
    assertThat(questions).containsExactly("LIST ROLES OF 'o''brien'");
  }
}
