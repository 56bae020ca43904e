package io.sluice.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.protocol.internal.Message;
import com.datastax.oss.protocol.internal.ProtocolConstants.ErrorCode;
import com.datastax.oss.protocol.internal.request.AuthResponse;
import com.datastax.oss.protocol.internal.request.Query;
import com.datastax.oss.protocol.internal.request.Startup;
import com.datastax.oss.protocol.internal.response.AuthSuccess;
import com.datastax.oss.protocol.internal.response.Authenticate;
import com.datastax.oss.protocol.internal.response.Error;
import com.datastax.oss.protocol.internal.response.result.Void;
import io.sluice.testkit.FakeCassandra;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The answers of a node that requires a login. */
class ReadinessTest {
  private FakeCassandra node;

  @BeforeEach
  void start() throws IOException {
    node = new FakeCassandra(UUID.randomUUID(), "datacenter1", 0);
    node.addPeer(node);
  }

  @AfterEach
  void stop() throws IOException {
    node.close();
  }

  /** Lets the node answer the login and, if that succeeds, the read of all roles. */
  private void answers(Message login, Message roles) {
    node.serve(
        request -> {
          if (request instanceof Startup) {
            return new Authenticate("org.apache.cassandra.auth.PasswordAuthenticator");
          } else if (request instanceof AuthResponse) {
            return login;
          }
          return request instanceof Query query && query.query.contains("system_auth")
              ? roles
              : null;
        });
  }

  private boolean sees() {
    return Readiness.seesWholeRing(node.address(), 0);
  }

  private boolean seesOrRefuses() {
    return Readiness.seesWholeRingOrRefuses(node.address(), 0);
  }

  @Test
  void a_node_sees_the_ring_if_it_knows_the_others_and_reads_all_roles() {
    answers(new AuthSuccess(ByteBuffer.allocate(0)), Void.INSTANCE);

    assertThat(sees()).isTrue();
    assertThat(seesOrRefuses()).isTrue();
    assertThat(Readiness.seesWholeRingOrRefuses(node.address(), 2)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "256, Provided username cassandra and/or password are incorrect, true",
    "256, cassandra is not permitted to log in, true",
    "256, Unable to perform authentication: Cannot achieve consistency level QUORUM, false",
    "4097, overloaded, false"
  })
  void a_refused_login_counts_only_if_the_node_has_read_the_role(
      int code, String message, boolean counts) {
    Error refusal = new Error(code, message);
    answers(refusal, refusal);

    assertThat(seesOrRefuses()).isEqualTo(counts);
    assertThat(sees()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({ErrorCode.UNAUTHORIZED + ", true", ErrorCode.UNAVAILABLE + ", false"})
  void so_does_a_role_that_is_no_superuser_any_more(int code, boolean counts) {
    answers(new AuthSuccess(ByteBuffer.allocate(0)), new Error(code, "no"));

    assertThat(seesOrRefuses()).isEqualTo(counts);
    assertThat(sees()).isFalse();
  }

  @Test
  void a_node_that_does_not_answer_is_not_ready() throws IOException {
    node.close();

    assertThat(seesOrRefuses()).isFalse();
    assertThat(sees()).isFalse();
  }
}
