package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.sluice.exchange.TestClient;
import io.sluice.fleet.PeerWatch.PeerChange;
import io.sluice.wire.Frame;
import io.sluice.wire.SchemaChange;
import io.sluice.wire.TestFrames;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.transport.Event;
import org.apache.cassandra.transport.ProtocolVersion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the receivers of a schema change, and compares its encoding with Cassandra's own. */
class EventHubTest {

  private static final String SCHEMA_CHANGE = "SCHEMA_CHANGE";
  private static final SchemaChange TABLE =
      new SchemaChange("CREATED", "TABLE", "ks", "t", List.of());

  private final EventHub hub = new EventHub();
  private final List<TestClient> clients = new ArrayList<>();

  private TestClient client(int version) {
    TestClient client = new TestClient(version);
    clients.add(client);
    return client;
  }

  @AfterEach
  void each_client_owns_its_events() {
    for (TestClient client : clients) {
      for (Frame event : client.told) {
        event.release();
        assertThat(TestFrames.isReleased(event)).isTrue();
      }
    }
  }

  @Test
  void each_registered_client_gets_a_change_once() {
    TestClient one = client(4).hears(SCHEMA_CHANGE);
    TestClient two = client(4).hears("STATUS_CHANGE").hears(SCHEMA_CHANGE);
    hub.registered(one);
    hub.registered(two);
    hub.registered(one);
    hub.schemaChanged(TABLE);
    assertThat(one.told).hasSize(1);
    assertThat(two.told).hasSize(1);
  }

  @Test
  void a_client_registered_for_other_events_gets_no_schema_change() {
    TestClient other = client(4).hears("TOPOLOGY_CHANGE").hears("STATUS_CHANGE");
    hub.registered(other);
    hub.schemaChanged(TABLE);
    assertThat(other.told).isEmpty();
  }

  @Test
  void a_client_that_registers_later_gets_later_changes() {
    TestClient late = client(4).hears("STATUS_CHANGE");
    hub.registered(late);
    hub.schemaChanged(TABLE);
    hub.registered(late.hears(SCHEMA_CHANGE));
    hub.schemaChanged(TABLE);
    assertThat(late.told).hasSize(1);
  }

  @Test
  void a_closed_client_gets_no_event_and_the_others_do() {
    TestClient gone = client(4).hears(SCHEMA_CHANGE);
    TestClient stays = client(4).hears(SCHEMA_CHANGE);
    hub.registered(gone);
    hub.registered(stays);
    hub.gone(gone);
    hub.gone(client(4));
    hub.schemaChanged(TABLE);
    assertThat(gone.told).isEmpty();
    assertThat(stays.told).hasSize(1);
  }

  /** Protocol v3 has no functions. Cassandra reports an update of their keyspace instead. */
  @ParameterizedTest
  @ValueSource(ints = {3, 4, 5})
  void each_client_gets_the_event_of_a_node_in_its_version(int version) {
    TestClient client = client(version).hears(SCHEMA_CHANGE);
    hub.registered(client);
    List<Event> encodedByCassandra = new ArrayList<>();
    for (String type : List.of("CREATED", "UPDATED", "DROPPED")) {
      for (SchemaChange change :
          List.of(
              new SchemaChange(type, "KEYSPACE", "ks", null, List.of()),
              new SchemaChange(type, "TABLE", "ks", "t", List.of()),
              new SchemaChange(type, "TYPE", "ks", "u", List.of()),
              new SchemaChange(type, "FUNCTION", "ks", "f", List.of("int", "list<text>")),
              new SchemaChange(type, "AGGREGATE", "ks", "a", List.of()))) {
        hub.schemaChanged(change);
        encodedByCassandra.add(encodedByCassandra(version, change));
      }
    }
    assertThat(client.told).extracting(event -> read(version, event)).isEqualTo(encodedByCassandra);
  }

  /** A client whose event cannot be encoded must not stop the delivery to the others. */
  @Test
  void a_change_of_a_function_is_sent_to_clients_of_all_versions() {
    List.of(4, 3, 5, 3, 4).forEach(version -> hub.registered(client(version).hears(SCHEMA_CHANGE)));
    hub.schemaChanged(new SchemaChange("CREATED", "FUNCTION", "ks", "f", List.of("int")));
    assertThat(clients).allSatisfy(client -> assertThat(client.told).hasSize(1));
  }

  @Test
  void clients_registered_for_status_changes_learn_that_this_proxy_goes_down() throws Exception {
    TestClient states = client(4).hears("STATUS_CHANGE");
    TestClient schema = client(4).hears(SCHEMA_CHANGE);
    hub.registered(states);
    hub.registered(schema);
    hub.goingDown(null);
    hub.goingDown(new InetSocketAddress("10.0.0.7", 9042));
    assertThat(schema.told).isEmpty();
    assertThat(states.told)
        .extracting(event -> (Event.StatusChange) read(4, event))
        .allMatch(event -> event.status == Event.StatusChange.Status.DOWN)
        .extracting(event -> event.node)
        .containsExactly(states.connectedTo(), new InetSocketAddress("10.0.0.7", 9042));
  }

  @Test
  void a_client_with_graceful_disconnect_gets_no_status_change() {
    TestClient graceful = client(5).hears("STATUS_CHANGE").hears("GRACEFUL_DISCONNECT");
    hub.registered(graceful);
    hub.goingDown(null);
    assertThat(graceful.told).isEmpty();
  }

  @Test
  void registered_clients_learn_which_proxies_joined_and_left() throws Exception {
    InetSocketAddress joined = new InetSocketAddress("10.0.0.7", 9042);
    InetSocketAddress left = new InetSocketAddress("10.0.0.8", 9043);
    for (int version : List.of(3, 4, 5)) {
      TestClient both = client(version).hears("TOPOLOGY_CHANGE").hears("STATUS_CHANGE");
      TestClient states = client(version).hears("STATUS_CHANGE");
      TestClient schema = client(version).hears(SCHEMA_CHANGE);
      List.of(both, states, schema).forEach(hub::registered);

      hub.changed(new PeerChange(List.of(joined), List.of(joined), List.of(left)));

      assertThat(schema.told).isEmpty();
      assertThat(states.told).hasSize(1);
      List<String> events = new ArrayList<>();
      for (Frame frame : both.told) {
        Event event = read(version, frame);
        events.add(
            event instanceof Event.TopologyChange topology
                ? topology.change + " " + topology.node
                : ((Event.StatusChange) event).status + " " + ((Event.StatusChange) event).node);
      }
      assertThat(events)
          .containsExactly("NEW_NODE " + joined, "UP " + joined, "REMOVED_NODE " + left);
      clients.forEach(hub::gone);
    }
  }

  private static Event encodedByCassandra(int version, SchemaChange change) {
    Event event =
        new Event.SchemaChange(
            Event.SchemaChange.Change.valueOf(change.type()),
            Event.SchemaChange.Target.valueOf(change.target()),
            change.keyspace(),
            change.name(),
            List.of("FUNCTION", "AGGREGATE").contains(change.target()) ? change.arguments() : null);
    ProtocolVersion theirs = ProtocolVersion.decode(version, true);
    ByteBuf body = Unpooled.buffer();
    event.serialize(body, theirs);
    return Event.deserialize(body, theirs);
  }

  private static Event read(int version, Frame event) {
    ByteBuf bytes = Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(TestFrames.hex(event)));
    assertThat(bytes.readUnsignedByte())
        .as("response of version")
        .isEqualTo((short) (0x80 | version));
    assertThat(bytes.readUnsignedByte()).as("flags").isZero();
    assertThat(bytes.readShort()).as("stream").isEqualTo((short) -1);
    assertThat(bytes.readUnsignedByte()).as("opcode").isEqualTo((short) 0x0c);
    assertThat(bytes.readInt()).as("length").isEqualTo(bytes.readableBytes());
    Event read = Event.deserialize(bytes, ProtocolVersion.decode(version, true));
    assertThat(bytes.readableBytes()).as("bytes after the event").isZero();
    return read;
  }
}
