package io.sluice.ycsb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import io.sluice.cluster.ClusterSpec;
import io.sluice.cluster.LocalCluster;
import io.sluice.load.Endpoint;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.Vector;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import site.ycsb.ByteIterator;
import site.ycsb.DBException;
import site.ycsb.Status;
import site.ycsb.StringByteIterator;

/**
 * The binding at a real node. At the start of each test, the table has all rows of a load phase
 * with checksums.
 */
// YCSB requires Vector.
@SuppressWarnings("JdkObsolete")
class SluiceClientIT {
  private static final int ROWS = 200;
  private static final LoadedKeys KEYS = new LoadedKeys(0, ROWS, 1, false);

  private static LocalCluster cluster;
  private static CqlSession session;

  private final List<SluiceClient> opened = new ArrayList<>();

  @BeforeAll
  static void start() {
    ClusterSpec spec =
        ClusterSpec.defaults()
            .withDir(Path.of(System.getProperty("sluice.it.dir", "target"), "cluster-ycsb"))
            .withNodes(1, 1)
            // Faster start: the node lives for a minute.
            .withJvmArg("-XX:TieredStopAtLevel=1")
            .withPorts(
                Integer.getInteger("sluice.it.port", 24_042),
                Integer.getInteger("sluice.it.storagePort", 24_500));
    cluster = LocalCluster.start(spec, line -> {});
    session = Endpoint.of(cluster.contactPoints(), cluster.datacenter()).open();
  }

  @AfterAll
  static void stop() {
    session.close();
    cluster.close();
  }

  @BeforeEach
  void load() throws DBException {
    SluiceClient client = client("dotransactions", "false", "sluice.verify", "true");
    KEYS.all().forEach(key -> assertThat(insert(client, key)).isEqualTo(Status.OK));
    close();
  }

  @AfterEach
  void close() {
    opened.forEach(SluiceClient::cleanup);
    opened.clear();
  }

  @Test
  void a_row_is_read_as_it_was_written() throws DBException {
    Map<String, ByteIterator> row = new HashMap<>();

    assertThat(client().read("usertable", KEYS.name(7), null, row)).isEqualTo(Status.OK);
    assertThat(texts(row))
        .isEqualTo(Map.of("field0", KEYS.name(7) + "/0", "field1", KEYS.name(7) + "/1"));
  }

  @Test
  void only_the_fields_that_are_asked_for_are_read() throws DBException {
    Map<String, ByteIterator> row = new HashMap<>();
    client().read("usertable", KEYS.name(7), Set.of("field1"), row);

    assertThat(row.keySet()).containsExactly("field1");
  }

  @Test
  void a_row_that_is_not_there_is_not_ok() throws DBException {
    assertThat(client().read("usertable", "nobody", null, new HashMap<>()))
        .isEqualTo(Status.NOT_FOUND);
  }

  @Test
  void an_update_changes_only_its_fields_and_a_delete_takes_the_row() throws DBException {
    SluiceClient client = client();
    String key = KEYS.name(3);
    Map<String, ByteIterator> row = new HashMap<>();

    assertThat(client.update("usertable", key, Map.of("field0", new StringByteIterator("new"))))
        .isEqualTo(Status.OK);
    client.read("usertable", key, null, row);
    assertThat(texts(row)).isEqualTo(Map.of("field0", "new", "field1", key + "/1"));
    assertThat(client.delete("usertable", key)).isEqualTo(Status.OK);
    assertThat(client.read("usertable", key, null, new HashMap<>())).isEqualTo(Status.NOT_FOUND);
  }

  @ParameterizedTest
  @EnumSource
  void every_way_to_scan_finds_what_was_loaded_page_by_page(ScanMode mode) throws DBException {
    SluiceClient client =
        client(
            "sluice.verify",
            "true",
            "sluice.scan.mode",
            mode.property(),
            "sluice.scan.pagesize",
            "7");
    for (int i = 0; i < ROWS; i += 9) {
      assertThat(scan(client, KEYS.name(i), 1 + i % 50)).isEqualTo(Status.OK);
    }
  }

  @Test
  void a_scan_has_as_many_rows_as_it_was_asked_for() throws DBException {
    Vector<HashMap<String, ByteIterator>> rows = new Vector<>();
    String first =
        Objects.requireNonNull(
            session.execute("SELECT y_id FROM ycsb.usertable LIMIT 1").one().getString(0));

    assertThat(client().scan("usertable", first, 50, null, rows)).isEqualTo(Status.OK);
    assertThat(rows).hasSize(50).allSatisfy(row -> assertThat(row).hasSize(2));
  }

  @ParameterizedTest
  @EnumSource
  void a_row_that_was_lost_is_a_short_or_wrong_scan(ScanMode mode) throws DBException {
    session.execute("DELETE FROM ycsb.usertable WHERE y_id = '" + KEYS.name(5) + "'");
    SluiceClient client = client("sluice.verify", "true", "sluice.scan.mode", mode.property());

    assertThat(scan(client, KEYS.name(5), 10).getName()).isIn("SHORT_READ", "WRONG_ROWS");
    assertThat(client.read("usertable", KEYS.name(5), null, new HashMap<>()).getName())
        .isEqualTo("SHORT_READ");
  }

  @Test
  void a_value_changed_by_another_client_is_wrong() throws DBException {
    session.execute("UPDATE ycsb.usertable SET field1 = 'x' WHERE y_id = '" + KEYS.name(5) + "'");
    SluiceClient client = client("sluice.verify", "true");

    assertThat(scan(client, KEYS.name(5), 1).getName()).isEqualTo("WRONG_ROWS");
    assertThat(client.read("usertable", KEYS.name(5), null, new HashMap<>()).getName())
        .isEqualTo("WRONG_ROWS");
  }

  @Test
  void a_lost_value_is_short_even_if_nothing_is_verified() throws DBException {
    session.execute("DELETE field1 FROM ycsb.usertable WHERE y_id = '" + KEYS.name(5) + "'");

    assertThat(scan(client(), KEYS.name(5), 1).getName()).isEqualTo("SHORT_READ");
  }

  @Test
  void too_few_replicas_and_a_missing_table_are_errors() throws DBException {
    SluiceClient client = client("cassandra.readconsistencylevel", "TWO");

    assertThat(client.read("usertable", KEYS.name(1), null, new HashMap<>()))
        .isEqualTo(Status.SERVICE_UNAVAILABLE);
    assertThat(client().read("nothing", KEYS.name(1), null, new HashMap<>()))
        .isEqualTo(Status.ERROR);
  }

  @Test
  void a_refused_connection_is_reported_at_once() {
    assertThatThrownBy(() -> client("hosts", "127.0.0.1:1")).isInstanceOf(DBException.class);
  }

  private static Status insert(SluiceClient client, String key) {
    return client.insert(
        "usertable",
        key,
        Map.of(
            "field0", new StringByteIterator(key + "/0"),
            "field1", new StringByteIterator(key + "/1")));
  }

  private static Status scan(SluiceClient client, String start, int limit) {
    return client.scan("usertable", start, limit, null, new Vector<>());
  }

  private static Map<String, String> texts(Map<String, ByteIterator> row) {
    Map<String, String> texts = new HashMap<>();
    row.forEach(
        (name, value) -> texts.put(name, new String(value.toArray(), StandardCharsets.UTF_8)));
    return texts;
  }

  private SluiceClient client(String... more) throws DBException {
    Properties properties = new Properties();
    properties.setProperty("hosts", cluster.node(0).address().getHostString());
    properties.setProperty("port", Integer.toString(cluster.node(0).address().getPort()));
    properties.setProperty("fieldcount", "2");
    properties.setProperty("recordcount", Integer.toString(ROWS));
    properties.setProperty("cassandra.readconsistencylevel", "ONE");
    for (int i = 0; i < more.length; i += 2) {
      properties.setProperty(more[i], more[i + 1]);
    }
    SluiceClient client = new SluiceClient();
    client.setProperties(properties);
    close();
    client.init();
    opened.add(client);
    return client;
  }
}
