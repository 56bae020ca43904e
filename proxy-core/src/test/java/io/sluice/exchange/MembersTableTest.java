package io.sluice.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.execute.table.NotAnswerable;
import io.sluice.execute.table.TablePage;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.testkit.Records;
import io.sluice.watch.ClusterView;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.Frame;
import io.sluice.wire.RowSet;
import io.sluice.wire.TestColumns;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the tables of the cluster's members as one client sees them. */
class MembersTableTest extends ExchangeFixture {

  private static final UUID OWN_SCHEMA = new UUID(3, 4);
  private static final UUID OTHER_SCHEMA = new UUID(7, 8);

  private static InetSocketAddress proxy(int host) {
    try {
      return new InetSocketAddress(
          InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) host}), 9042);
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  private void configured(@Nullable InetSocketAddress advertise, InetSocketAddress... peers) {
    settings.updateAndGet(
        now -> Records.with(now, "advertise", advertise, "peers", List.of(peers)));
  }

  private static ByteBuffer uuid(UUID id) {
    return ByteBuffer.allocate(16)
        .putLong(0, id.getMostSignificantBits())
        .putLong(8, id.getLeastSignificantBits());
  }

  private static RowSet local() {
    return new RowSet(
        TestColumns.of("local", "key text, rpc_address inet, schema_version uuid"),
        List.of(
            List.of(
                ByteBuffer.wrap("local".getBytes(java.nio.charset.StandardCharsets.UTF_8)),
                ByteBuffer.wrap(new byte[] {127, 0, 0, 1}),
                uuid(OWN_SCHEMA))));
  }

  /** What happens while a node is asked. */
  private Runnable whileAsked = () -> {};

  private List<List<@Nullable ByteBuffer>> answer(String cql, RowSet... facts)
      throws NotAnswerable {
    Frame frame = CqlCodec.query(4, cql);
    MembersTable table = new MembersTable(context, client.connectedTo(), statement(frame));
    whileAsked.run();
    assertThat(table.questions()).hasSize(facts.length);
    assertThat(table.isLaterPage()).isFalse();
    TablePage page = table.answer(List.of(facts));
    frame.release();
    assertThat(page.pagingState()).isNull();
    return page.rows().rows();
  }

  @Test
  void the_proxy_has_the_advertised_address_or_the_one_that_the_client_has_connected_to()
      throws NotAnswerable {
    String cql = "SELECT rpc_address FROM system.local";
    assertThat(answer(cql, local()).get(0))
        .containsExactly(ByteBuffer.wrap(client.connectedTo().getAddress().getAddress()));
    configured(proxy(1));
    assertThat(answer(cql, local()).get(0))
        .containsExactly(ByteBuffer.wrap(new byte[] {10, 0, 0, 1}));
  }

  @Test
  void the_peers_are_the_other_proxies() throws NotAnswerable {
    configured(proxy(1), proxy(1), proxy(2), proxy(3));
    RowSet peers = new RowSet(TestColumns.of("peers", "peer inet"), List.of());
    assertThat(answer("SELECT peer FROM system.peers", local(), peers))
        .containsExactly(
            List.of(ByteBuffer.wrap(new byte[] {10, 0, 0, 2})),
            List.of(ByteBuffer.wrap(new byte[] {10, 0, 0, 3})));
  }

  /** The event of the change may have overtaken the answer. */
  @Test
  void the_peers_are_those_of_the_time_of_the_answer() throws NotAnswerable {
    configured(proxy(1), proxy(2));
    whileAsked = () -> configured(proxy(1), proxy(2), proxy(3));
    RowSet peers = new RowSet(TestColumns.of("peers", "peer inet"), List.of());
    assertThat(answer("SELECT peer FROM system.peers", local(), peers)).hasSize(2);
  }

  private void is(String state) {
    switch (state) {
      case "silent" -> health.suspect(id(2), true);
      case "down" -> {
        Map<NodeId, Node> nodes = Map.of(id(1), node(1), id(2), Records.with(node(2), "up", false));
        ClusterView view = cluster.view();
        cluster.becomes(
            new ClusterView(
                new Ring(view.ring().partitioner(), "dc1", nodes, Map.of()),
                view.catalog(),
                Map.of(),
                Map.of()));
      }
      case "gone" -> cluster.becomes(view(1, 3));
      default -> assertThat(state).isEqualTo("serving");
    }
  }

  /** A driver then waits for the schema agreement of the nodes that serve it. */
  @ParameterizedTest
  @CsvSource({"serving, true", "silent, false", "down, false", "gone, false"})
  void the_peers_have_the_schema_of_a_node_that_differs_if_the_node_is_serving(
      String state, boolean differs) throws NotAnswerable {
    configured(proxy(1), proxy(2));
    is(state);
    RowSet peers =
        new RowSet(
            TestColumns.of("peers", "peer inet, host_id uuid, schema_version uuid"),
            List.of(
                List.of(
                    ByteBuffer.wrap(new byte[] {127, 0, 0, 2}),
                    uuid(id(2).hostId()),
                    uuid(OTHER_SCHEMA))));
    assertThat(answer("SELECT schema_version FROM system.peers", local(), peers))
        .containsExactly(List.of(uuid(differs ? OTHER_SCHEMA : OWN_SCHEMA)));
    health.suspect(id(2), false);
  }
}
