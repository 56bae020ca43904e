package io.sluice.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.protocol.internal.Message;
import com.datastax.oss.protocol.internal.ProtocolConstants.ErrorCode;
import com.datastax.oss.protocol.internal.request.Query;
import com.datastax.oss.protocol.internal.response.Error;
import com.datastax.oss.protocol.internal.response.result.Void;
import io.sluice.cluster.ClusterFailure;
import io.sluice.testkit.FakeCassandra;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The agreement of a node that has no peers, and whose roles may be unreadable for a time. */
class AgreementTest {
  private static final ByteBuffer VERSION = ByteBuffer.wrap(new byte[] {7});
  private static final ByteBuffer OTHER = ByteBuffer.wrap(new byte[] {8});

  private final AtomicInteger refusals = new AtomicInteger();
  private final FakeCassandra node;

  AgreementTest() throws IOException {
    node = new FakeCassandra(new UUID(0, 1), "dc1", 0);
    node.serve(this::answer);
  }

  private @Nullable Message answer(Message request) {
    String cql = request instanceof Query query ? query.query : "";
    if (cql.contains("system_auth.roles") && refusals.getAndDecrement() > 0) {
      return new Error(ErrorCode.SERVER_ERROR, "an owner is down");
    }
    return cql.contains("peers_v2") || cql.contains("system_auth.roles") ? Void.INSTANCE : null;
  }

  @AfterEach
  void close() throws IOException {
    node.close();
  }

  private Agreement of(int members) {
    Agreement.Member member = new Agreement.Member("node 1", node.address());
    return new Agreement(() -> List.of(member, member).subList(0, members));
  }

  @Test
  void a_node_without_peers_is_the_whole_ring_of_one() throws InterruptedException {
    of(1).awaitWholeRing(Duration.ZERO);
  }

  @Test
  void a_node_that_misses_another_is_named() {
    assertThatThrownBy(() -> of(2).awaitWholeRing(Duration.ZERO))
        .isInstanceOf(ClusterFailure.class)
        .hasMessage("node 1 does not see all others after 0 s");
  }

  @Test
  void a_node_is_checked_again_within_the_limit() throws InterruptedException {
    refusals.set(1);

    of(1).awaitWholeRing(Duration.ofMinutes(1));

    assertThat(refusals).hasNegativeValue();
  }

  @Test
  void nodes_with_one_version_have_one_schema() throws InterruptedException {
    of(2).awaitOneSchema(Duration.ZERO);
  }

  @Test
  void a_node_that_is_down_agrees_with_none() throws IOException {
    node.close();

    assertThatThrownBy(() -> of(1).awaitOneSchema(Duration.ZERO))
        .isInstanceOf(ClusterFailure.class)
        .hasMessage("no schema agreement after 0 s");
  }

  @Test
  void one_schema_is_the_same_known_version_everywhere() {
    assertThat(Agreement.isOneSchema(List.of(Optional.of(VERSION), Optional.of(VERSION)))).isTrue();
    assertThat(Agreement.isOneSchema(List.of(Optional.of(VERSION), Optional.of(OTHER)))).isFalse();
    assertThat(Agreement.isOneSchema(List.of(Optional.of(VERSION), Optional.empty()))).isFalse();
    assertThat(Agreement.isOneSchema(List.of(Optional.empty(), Optional.empty()))).isFalse();
  }
}
