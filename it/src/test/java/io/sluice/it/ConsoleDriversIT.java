package io.sluice.it;

import static io.sluice.it.Clients.command;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.ColumnDefinition;
import com.datastax.oss.driver.api.core.cql.ColumnDefinitions;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.sluice.it.cluster.CassandraCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The console with drivers of four languages and with cqlsh: ten tables read, a setting changed and
 * changed back, scans ended. Each program prints the same lines.
 */
@CassandraCluster
class ConsoleDriversIT {

  private static final String KEYSPACE = "console_drivers";
  private static final String OWN = "system_proxy";
  private static final String SETTING = "scheduling.mode";
  private static final String VALUE = "SELECT value FROM system_proxy.settings WHERE key = ";
  private static final String SCAN = "SELECT * FROM console_drivers.t";
  private static final String END = "DELETE FROM system_proxy.requests";
  private static final int ROWS = 2_000;
  private static final int SCANS = 64;

  private static final List<String> TABLES =
      List.of(
          "nodes",
          "queues",
          "requests",
          "statements",
          "clients",
          "links",
          "prepared",
          "tables",
          "settings",
          "proxies");

  /** What a program prints that reads TABLES and uses the commands. */
  private static final List<String> EXPECTED = new ArrayList<>();

  @BeforeAll
  static void fill() {
    Stage.plain().needsProxy();
    try (CqlSession session = JavaDriver.open(Stage.plain().sluice(), Wire.USUAL)) {
      session.execute(
          "CREATE KEYSPACE IF NOT EXISTS console_drivers WITH replication"
              + " = {'class': 'SimpleStrategy', 'replication_factor': 1}");
      Scans.fill(new Place(session, Stage.plain().sluice(), KEYSPACE), ROWS);
      for (String table : TABLES) {
        EXPECTED.add(table + ": " + columns(session.execute(all(table))).size());
      }
      EXPECTED.addAll(
          List.of(
              "pages: true",
              "where: range",
              "bound: enforce",
              "json: {\"key\": \"scheduling.mode\", \"value\": \"enforce\"}",
              "changed: observe",
              "changed back: enforce",
              "ended: The request was ended by role anonymous from <client> (DELETE FROM"
                  + " system_proxy.requests)"));
    }
  }

  private static String all(String table) {
    return "SELECT * FROM system_proxy." + table;
  }

  private static List<String> columns(ResultSet rows) {
    ColumnDefinitions columns = rows.getColumnDefinitions();
    List<String> names = new ArrayList<>();
    for (ColumnDefinition column : columns) {
      names.add(column.getName().asInternal());
    }
    return names;
  }

  private static String first(ResultSet rows) {
    return String.valueOf(Objects.requireNonNull(rows.one()).getString(0));
  }

  private static void prints(List<String> said) {
    assertThat(
            said.stream()
                .map(line -> line.replaceAll("127\\.0\\.0\\.1:\\d+", "<client>"))
                .map(line -> line.replaceAll("^ended: .*?(The request was)", "ended: $1"))
                .map(line -> line.replaceAll("(requests\\))\"?$", "$1"))
                .map(line -> line.replaceAll("^where: .*range.*", "where: range"))
                .map(line -> line.replace("pages: True", "pages: true"))
                .toList())
        .containsExactlyElementsOf(EXPECTED);
  }

  @Test
  void the_java_driver() {
    List<String> said = new ArrayList<>();
    try (CqlSession session = JavaDriver.open(Stage.plain().sluice(), Wire.USUAL)) {
      for (String table : TABLES) {
        String cql = all(table);
        List<String> columns = columns(session.execute(cql));
        assertThat(columns(session.execute(session.prepare(cql).bind()))).isEqualTo(columns);
        session.execute(SimpleStatement.newInstance(cql).setPageSize(2)).all();
        said.add(table + ": " + columns.size());
      }
      SimpleStatement nodes = SimpleStatement.newInstance("SELECT node FROM system_proxy.queues");
      said.add("pages: " + texts(session, nodes.setPageSize(3)).equals(texts(session, nodes)));
      said.add("where: " + first(session.execute(RANGES)));
      PreparedStatement bound = session.prepare(VALUE + "?");
      said.add("bound: " + first(session.execute(bound.bind(SETTING))));
      said.add(
          "json: "
              + first(
                  session.execute(
                      "SELECT JSON key, value FROM system_proxy.settings WHERE key = ?", SETTING)));
      session.execute(
          session
              .prepare("UPDATE system_proxy.settings SET value = ? WHERE key = ?")
              .bind("observe", SETTING));
      said.add("changed: " + first(session.execute(VALUE + "?", SETTING)));
      session.execute("DELETE FROM system_proxy.settings WHERE key = ?", SETTING);
      said.add("changed back: " + first(session.execute(VALUE + "?", SETTING)));
      said.add("ended: " + ended(session));
    }
    prints(said);
  }

  private static final String RANGES =
      "SELECT class FROM system_proxy.queues WHERE class = 'range'";

  private static List<String> texts(CqlSession session, SimpleStatement select) {
    return session.execute(select).all().stream().map(row -> row.getString(0)).toList();
  }

  /** The error of scans that were ended; the first ones may be over before. */
  private static String ended(CqlSession session) {
    for (int i = 0; i < 20; i++) {
      List<CompletableFuture<AsyncResultSet>> scans =
          IntStream.range(0, SCANS)
              .mapToObj(each -> session.executeAsync(SCAN).toCompletableFuture())
              .toList();
      session.execute(END + " WHERE keyspace_name = ?", KEYSPACE);
      for (CompletableFuture<AsyncResultSet> scan : scans) {
        String error = scan.handle((rows, thrown) -> message(thrown)).join();
        if (!error.isEmpty()) {
          return error;
        }
      }
    }
    return "no scan";
  }

  private static String message(Throwable thrown) {
    Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : thrown;
    return cause == null ? "" : String.valueOf(cause.getMessage());
  }

  @Test
  void the_python_driver() throws Exception {
    Path home = Clients.ready("python");
    runs(home, home.resolve("bin/python"), home.resolve("console.py"));
  }

  @Test
  void gocql() throws Exception {
    Path home = Clients.ready("go");
    Target target = Stage.plain().sluice();
    List<String> line =
        command(home.resolve("client"), target.host(), target.port(), KEYSPACE, "console");
    line.addAll(TABLES);
    prints(lines(Clients.run(line, home)));
  }

  @Test
  void the_node_driver() throws Exception {
    Path home = Clients.ready("node");
    runs(home, "node", home.resolve("console.js"));
  }

  private static void runs(Path home, Object... program) throws Exception {
    Target target = Stage.plain().sluice();
    List<String> line = command(program);
    line.addAll(command(target.host(), target.port(), KEYSPACE));
    line.addAll(TABLES);
    prints(lines(Clients.run(line, home)));
  }

  private static List<String> lines(Clients.Ended ended) {
    assertThat(ended.status()).as(ended.errors()).isZero();
    return ended.output().lines().toList();
  }

  private static String cqlsh(Path home, Target target, String statements) throws Exception {
    Path folder = Files.createTempDirectory("cqlsh");
    try {
      Path script = Files.writeString(folder.resolve("script.cql"), statements);
      Clients.Ended ended = Clients.run(Cqlsh.command(home, target, script), folder);
      return ended.output() + ended.errors();
    } finally {
      Cqlsh.delete(folder);
    }
  }

  /** The names that DESCRIBE TABLES prints, by keyspace. */
  private static Map<String, List<String>> tables(String printed) {
    Map<String, List<String>> tables = new LinkedHashMap<>();
    List<String> names = new ArrayList<>();
    for (String line : printed.lines().toList()) {
      if (line.startsWith("Keyspace ")) {
        names = new ArrayList<>();
        tables.put(line.substring("Keyspace ".length()), names);
      } else if (!line.isBlank() && !line.startsWith("---")) {
        names.addAll(words(line));
      }
    }
    tables.values().forEach(each -> each.sort(null));
    return tables;
  }

  private static List<String> words(String text) {
    return Arrays.stream(text.split("\\s+")).filter(word -> !word.isEmpty()).sorted().toList();
  }

  @Test
  void cqlsh_describes_the_keyspace_among_those_of_a_node() throws Exception {
    Path home = Clients.ready("python");
    Target direct = Stage.plain().direct();
    Target sluice = Stage.plain().sluice();
    List<String> keyspaces = words(cqlsh(home, direct, "DESCRIBE KEYSPACES\n"));
    List<String> more = new ArrayList<>(words(cqlsh(home, sluice, "DESCRIBE KEYSPACES\n")));
    assertThat(more.remove(OWN)).isTrue();
    assertThat(more).isEqualTo(keyspaces).contains("system_views");

    Map<String, List<String>> nodes = tables(cqlsh(home, direct, "PAGING 10\nDESCRIBE TABLES\n"));
    Map<String, List<String>> all = tables(cqlsh(home, sluice, "PAGING 10\nDESCRIBE TABLES\n"));
    assertThat(all.keySet()).containsSubsequence("system_distributed", OWN, "system_views");
    List<String> own = Objects.requireNonNull(all.remove(OWN));
    assertThat(own).containsAll(TABLES);
    assertThat(List.copyOf(all.entrySet())).isEqualTo(List.copyOf(nodes.entrySet()));
  }

  @Test
  void cqlsh_reads_changes_and_ends() throws Exception {
    Path home = Clients.ready("python");
    AtomicBoolean over = new AtomicBoolean();
    try (CqlSession session = JavaDriver.open(Stage.plain().sluice(), Wire.USUAL)) {
      CompletableFuture<String> scans = CompletableFuture.supplyAsync(() -> scan(session, over));
      StringBuilder statements = new StringBuilder();
      TABLES.forEach(table -> statements.append(all(table)).append(";\n"));
      statements.append(Files.readString(home.resolve("console.cql")).replace("$ks", KEYSPACE));
      String printed = cqlsh(home, Stage.plain().sluice(), statements.toString());
      for (int i = 0; i < 20 && !scans.isDone(); i++) {
        cqlsh(home, Stage.plain().sluice(), END + " WHERE keyspace_name = '" + KEYSPACE + "'");
      }
      over.set(true);
      assertThat(scans.join())
          .startsWith("The request was ended by role anonymous from 127.0.0.1:")
          .endsWith("(" + END + ")");
      String plain = printed.replaceAll(" +", " ").replaceAll("-{3,}[-+]*", "---");
      assertThat(plain)
          .contains(
              "(6 rows)",
              " class\n---\n range\n",
              " {\"key\": \"scheduling.mode\", \"value\": \"enforce\"}\n",
              "VIRTUAL TABLE system_proxy.nodes (\n node text PRIMARY KEY,\n",
              "VIRTUAL KEYSPACE system_proxy;",
              "VIRTUAL TABLE system_views.clients (",
              "'nothing' not found in keyspaces")
          .containsSubsequence(" value\n---\n observe\n", " value\n---\n enforce\n")
          .doesNotContain("Traceback", "SyntaxException");
      for (String table : TABLES) {
        assertThat(plain).contains("VIRTUAL TABLE system_proxy." + table + " (");
      }
    }
  }

  /**
   * Scans until one is ended, and returns its error. Between two rounds no scan is under way, so
   * that one command may end none.
   */
  private static String scan(CqlSession session, AtomicBoolean over) {
    String error = "";
    while (!over.get() && error.isEmpty()) {
      List<CompletableFuture<AsyncResultSet>> scans =
          IntStream.range(0, SCANS / 4)
              .mapToObj(each -> session.executeAsync(SCAN).toCompletableFuture())
              .toList();
      for (CompletableFuture<AsyncResultSet> scan : scans) {
        String failed = scan.handle((rows, thrown) -> message(thrown)).join();
        error = failed.isEmpty() ? error : failed;
      }
    }
    return error;
  }
}
