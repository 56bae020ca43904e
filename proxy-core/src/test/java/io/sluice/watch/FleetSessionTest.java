package io.sluice.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.NoNodeAvailableException;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests how the statements of the fleet run, and what a failure says. */
class FleetSessionTest {

  private static final Node NODE = DriverMetadata.driverNode(1, null, "here", "rack");

  private final FakeSession cql = new FakeSession(new DriverMetadata());

  static ClusterConfig config(ClusterConfig.@Nullable Credentials login) {
    InetSocketAddress point = InetSocketAddress.createUnresolved("node", 9042);
    return new ClusterConfig(List.of(point), "here", login, Duration.ofSeconds(1));
  }

  private FleetSession session(ClusterConfig.@Nullable Credentials login) {
    return new FleetSession(cql::driver, config(login));
  }

  private CompletionStage<?> ask(ClusterConfig.@Nullable Credentials login) {
    return session(login).ask(SimpleStatement.newInstance("SELECT x"), 7);
  }

  /** Returns the failure of an answer that has come already. */
  static Throwable failure(CompletionStage<?> answer) {
    CompletionException thrown =
        catchThrowableOfType(
            CompletionException.class, () -> answer.toCompletableFuture().getNow(null));
    return Objects.requireNonNull(thrown.getCause());
  }

  private void assertFails(
      Throwable failure, ClusterConfig.@Nullable Credentials login, String message) {
    cql.fails(failure);
    assertThat(failure(ask(login))).isInstanceOf(IOException.class).hasMessage(message);
  }

  @Test
  void a_statement_runs_at_local_quorum_and_is_given_up_before_the_node_does() {
    ask(null);
    SimpleStatement asked = cql.last();
    assertThat(asked.getQuery()).isEqualTo("SELECT x");
    assertThat(asked.getConsistencyLevel()).isEqualTo(ConsistencyLevel.LOCAL_QUORUM);
    assertThat(asked.isIdempotent()).isTrue();
    assertThat(asked.getTimeout()).isEqualTo(Duration.ofMillis(1_500));
    assertThat(asked.getPageSize()).isEqualTo(7);
    assertThat(asked.getNode()).as("each time another coordinator").isNull();
  }

  @Test
  void the_answer_is_that_of_the_node() {
    NodeRows rows = new NodeRows("k int").row(1);
    cql.answers(rows);
    assertThat(ask(null).toCompletableFuture().getNow(null)).isSameAs(rows);
    assertThat(session(null).datacenter()).isEqualTo("here");
  }

  @Test
  void the_message_about_a_missing_keyspace_names_the_command_that_creates_it() {
    assertFails(
        new InvalidQueryException(NODE, "Keyspace sluice does not exist"),
        null,
        "Keyspace sluice does not exist; `sluice fleet init` creates it");
  }

  @Test
  void the_message_about_a_missing_permission_has_the_statement_that_grants_it() {
    assertFails(
        new UnauthorizedException(NODE, "proxy has no SELECT"),
        new ClusterConfig.Credentials("proxy", "secret"),
        "proxy has no SELECT; an administrator may"
            + " GRANT SELECT, MODIFY ON KEYSPACE sluice TO \"proxy\"");
  }

  @Test
  void nothing_can_be_granted_to_a_proxy_without_a_role() {
    assertFails(new UnauthorizedException(NODE, "no SELECT"), null, "no SELECT");
  }

  @Test
  void a_quorum_that_cannot_be_had_is_reported_in_the_nodes_words() {
    UnavailableException unavailable =
        new UnavailableException(NODE, ConsistencyLevel.LOCAL_QUORUM, 2, 1);
    assertFails(unavailable, new ClusterConfig.Credentials("proxy", "x"), unavailable.getMessage());
  }

  @Test
  void the_cause_of_a_wrapped_failure_decides() {
    assertFails(
        new CompletionException(new InvalidQueryException(NODE, "none")),
        null,
        "none; `sluice fleet init` creates it");
    assertFails(new CompletionException(new TimeoutException()), null, "TimeoutException");
    assertFails(new CompletionException("broken", null), null, "broken");
  }

  @Test
  void a_failure_keeps_its_cause() {
    InvalidQueryException cause = new InvalidQueryException(NODE, "none");
    cql.fails(cause);
    assertThat(failure(ask(null))).hasCause(cause);
  }

  @Test
  void a_session_that_throws_is_a_failed_answer() {
    cql.does(
        statement -> {
          throw new NoNodeAvailableException();
        });
    assertThat(failure(ask(null)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("No node was available");
  }

  @ParameterizedTest
  @CsvSource({"-1, false", "0, false", "1, true", "65535, true", "65536, false"})
  void a_port_has_16_bits_and_is_not_zero(int port, boolean expected) {
    assertThat(FleetSession.isPort(port)).isEqualTo(expected);
  }
}
