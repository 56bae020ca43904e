package io.sluice.watch;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import com.datastax.oss.driver.api.core.metadata.TokenMap;
import com.datastax.oss.driver.api.core.metadata.token.Token;
import com.datastax.oss.protocol.internal.ProtocolConstants;
import com.datastax.oss.protocol.internal.request.Query;
import com.datastax.oss.protocol.internal.response.Error;
import com.datastax.oss.protocol.internal.response.event.TopologyChangeEvent;
import io.sluice.ring.NodeId;
import io.sluice.testkit.FakeCassandra;
import io.sluice.time.SystemTime;
import io.sluice.tls.Tls;
import io.sluice.tls.TlsConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what a session knows of the nodes after the driver has missed or refused something. */
class NodeListTest {

  private static final NodeId JOINED = new NodeId(new UUID(0, 2));

  private FakeCassandra control;
  private FakeCassandra joined;

  @BeforeEach
  void start() throws IOException {
    control = new FakeCassandra(new UUID(0, 1), "here", 0);
    joined = new FakeCassandra(JOINED.hostId(), "here", 0);
    joined.move("1000");
  }

  @AfterEach
  void end() throws IOException {
    control.close();
    joined.close();
  }

  private DriverSession session() throws IOException {
    return DriverSession.open(
        new ClusterConfig(List.of(control.address()), "here", null, Duration.ofSeconds(10)),
        Tls.off(TlsConfig.Side.NODE),
        List.of(control.address()),
        change -> {});
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    assertThat(new SystemTime().await(condition, Duration.ofSeconds(30))).isTrue();
  }

  private static boolean isUp(DriverSession session) {
    Node node = session.node(JOINED);
    return node != null && node.getState() == NodeState.UP;
  }

  private static Set<Token> tokens(DriverSession session) {
    return session.metadata().getTokenMap().map(TokenMap::getTokenRanges).orElse(Set.of()).stream()
        .map(range -> range.getEnd())
        .collect(Collectors.toSet());
  }

  @Test
  void a_node_whose_announcement_could_not_be_read_is_found_later() throws Exception {
    AtomicInteger failed = new AtomicInteger();
    try (DriverSession session = session()) {
      control.addPeer(joined);
      control.serve(
          request ->
              request instanceof Query query
                      && query.query.contains("FROM system.peers")
                      && failed.getAndIncrement() == 0
                  ? new Error(ProtocolConstants.ErrorCode.OVERLOADED, "busy")
                  : null);
      control.send(-1, new TopologyChangeEvent("NEW_NODE", joined.address()));
      await(() -> failed.get() > 0);
      assertThat(session.node(JOINED)).isNull();
      session.refreshNodes();
      await(() -> isUp(session));
    }
  }

  @Test
  void a_node_that_was_of_another_cluster_once_is_tried_again() throws Exception {
    control.addPeer(joined);
    joined.rename("Other");
    try (DriverSession session = session()) {
      await(() -> session.node(JOINED).getState() == NodeState.FORCED_DOWN);
      joined.rename("Fake");
      session.refreshNodes();
      await(() -> isUp(session));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void the_owners_of_token_ranges_follow_a_node_that_moves(boolean hasControlConnection)
      throws Exception {
    control.addPeer(joined);
    control.add("ks");
    try (DriverSession session = session()) {
      await(() -> isUp(session));
      Set<Token> before = tokens(session);
      assertThat(before).hasSize(2);
      (hasControlConnection ? control : joined).move("2000");
      session.refreshNodes();
      await(() -> !tokens(session).equals(before));
      assertThat(tokens(session)).hasSize(2);
    }
  }
}
