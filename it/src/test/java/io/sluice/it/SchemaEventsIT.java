package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.it.cluster.Capability;
import io.sluice.it.cluster.CassandraCluster;
import io.sluice.it.cluster.ClusterUnderTest.Node;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Clients of the proxy get every schema event, like clients of a node. Each node reports the
 * contents of a dropped keyspace in its own order, and combines several changes that it receives
 * together. The proxy reports exactly what one node has reported.
 */
@CassandraCluster(needs = Capability.PAUSE)
class SchemaEventsIT {

  private static final int TABLES = 6;
  private static final String HUNG =
      "CREATE KEYSPACE hung WITH replication ="
          + " {'class': 'SimpleStrategy', 'replication_factor': 1}";

  private final Stage stage = Stage.plain();

  @BeforeEach
  void only_the_proxy_has_this_to_show() {
    stage.needsProxy();
  }

  private static RawConnection listener(InetSocketAddress address, int version) throws IOException {
    RawConnection listener = RawConnection.ready(address, version);
    byte[] types = new Bytes().int16(1).string("SCHEMA_CHANGE").done();
    listener.send(Bytes.frame(version, 0, 1, Bytes.REGISTER, types));
    assertThat(listener.read()).isNotNull();
    return listener;
  }

  private static String change(RawConnection client, String cql) throws IOException {
    client.send(Bytes.frame(4, 0, 1, Bytes.QUERY, Bytes.query(4, cql)));
    RawFrame answer = client.read();
    return answer == null ? "closed" : answer.toString();
  }

  /** Returns the events of one keyspace, until that of its drop. */
  private static List<String> events(RawConnection listener, String keyspace) throws IOException {
    List<String> events = new ArrayList<>();
    String last = "DROPPED KEYSPACE " + keyspace;
    while (!events.contains(last)) {
      RawFrame event = listener.read();
      assertThat(event).as("after %s", events).isNotNull();
      assertThat(event.opcode()).isEqualTo(RawFrame.EVENT);
      String words = event.event().replace("SCHEMA_CHANGE ", "");
      if (words.contains(keyspace)) {
        events.add(words);
      }
    }
    return events;
  }

  @ParameterizedTest
  @CsvSource({"3, false", "5, false", "4, true"})
  void concurrent_changes_are_reported_as_by_one_of_the_nodes(int version, boolean through)
      throws Exception {
    String keyspace = "events" + version + (through ? "t" : "d");
    Target changed = through ? stage.sluice() : stage.direct();
    List<RawConnection> nodes = new ArrayList<>();
    try (RawConnection sluice = listener(stage.sluice().address(), version);
        RawConnection client = RawConnection.ready(changed.address(), 4)) {
      for (Node node : stage.cluster().nodes()) {
        nodes.add(listener(node.address(), version));
      }
      change(
          client,
          "CREATE KEYSPACE "
              + keyspace
              + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
      for (int i = 0; i < TABLES; i++) {
        change(client, "CREATE TABLE " + keyspace + ".t" + i + " (k int PRIMARY KEY, v int)");
      }
      change(client, "CREATE TYPE " + keyspace + ".u (a int)");
      change(
          client,
          "CREATE FUNCTION "
              + keyspace
              + ".f (a int) RETURNS NULL ON NULL INPUT RETURNS int LANGUAGE java AS 'return a;'");
      change(client, "DROP KEYSPACE " + keyspace);
      List<String> told = events(sluice, keyspace);
      List<List<String>> toldByNodes = new ArrayList<>();
      for (RawConnection node : nodes) {
        toldByNodes.add(events(node, keyspace));
      }
      assertThat(toldByNodes.get(0))
          .as("events of the node that is changed")
          .hasSizeGreaterThan(TABLES + 3);
      assertThat(toldByNodes).as("events of each node").contains(told);
    } finally {
      for (RawConnection node : nodes) {
        node.close();
      }
    }
  }

  /**
   * A connection pinned to a hung node would time out after five seconds, at each of four changes.
   * A change sent to that node, before the proxy suspects it, waits for it, as without the proxy.
   * Therefore the client has another node as its coordinator.
   */
  @Test
  void a_change_beside_a_hung_node_does_not_wait_for_it() throws Exception {
    Node hung = stage.cluster().node(2);
    try (RawConnection first = RawConnection.ready(stage.sluice().address(), 4);
        RawConnection second = RawConnection.ready(stage.sluice().address(), 4)) {
      change(first, HUNG);
      hung.pause();
      RawConnection client = isAnswered(first) ? first : second;
      long begin = System.nanoTime();
      for (int i = 0; i < 4; i++) {
        assertThat(change(client, "CREATE TABLE hung.t" + i + " (k int PRIMARY KEY)"))
            .as("the answer to change %s", i)
            .contains("opcode " + RawFrame.RESULT);
      }
      assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(18));
    } finally {
      hung.resume();
    }
  }

  /** Sends a read to its coordinator. A change would wait for the hung node's schema version. */
  private static boolean isAnswered(RawConnection client) throws IOException {
    client.waitAtMost(5_000);
    try {
      return change(client, "SELECT keyspace_name FROM system_schema.keyspaces")
          .contains("opcode " + RawFrame.RESULT);
    } catch (SocketTimeoutException e) {
      return false;
    } finally {
      client.waitAtMost((int) Waiting.PATIENCE.toMillis());
    }
  }
}
