package io.sluice.it;

import static io.sluice.it.Clients.command;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.Proxy;
import io.sluice.ProxyConfig;
import io.sluice.audit.AuditConfig;
import io.sluice.console.LiveConfig;
import io.sluice.it.cluster.CassandraCluster;
import io.sluice.watch.ClusterConfig;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/**
 * Logins and permissions are as at a node: Cassandra's refusals reach the client, and no role reads
 * rows that it may not read.
 */
@CassandraCluster(nodes = 1, rf = 1, auth = true)
class AuthIT {

  @Test
  void the_right_and_the_wrong_password_are_answered_as_by_a_node() throws Exception {
    SameAnswer.of(
        Stage.auth(),
        (target, seen) -> {
          for (int version = 3; version <= 5; version++) {
            for (String token :
                List.of(
                    "\0cassandra\0cassandra",
                    "\0cassandra\0wrong",
                    "\0nobody\0x",
                    "\0cassandra\0")) {
              seen.say(version + " " + token.replace('\0', '/'), login(target, version, token));
            }
          }
        });
  }

  @Test
  void a_token_that_cannot_be_replayed_is_refused_with_the_code_of_a_node() throws Exception {
    SameAnswer.of(
        Stage.auth(),
        (target, seen) -> {
          for (String token : List.of("no token", "")) {
            seen.say(
                "token " + token, login(target, 4, token).replaceFirst("( code \\w+).*", "$1"));
          }
        });
  }

  @Test
  void a_request_before_the_password_is_refused_as_by_a_node() throws Exception {
    SameAnswer.of(
        Stage.auth(),
        (target, seen) -> {
          try (RawConnection connection = new RawConnection(target.address())) {
            connection.send(Bytes.frame(4, 0, 1, Bytes.STARTUP, Bytes.startup()));
            seen.say("startup", connection.outcome(5_000));
            connection.send(
                Bytes.frame(4, 0, 2, Bytes.QUERY, Bytes.query(4, "SELECT key FROM system.local")));
            seen.say("query", connection.outcome(5_000));
          }
        });
  }

  @Test
  void roles_and_permissions_behave_as_at_a_node() throws Exception {
    SameAnswer.of(Stage.auth(), AuthIT::rolesAndPermissions);
  }

  @Test
  void drivers_of_other_languages_log_in_and_are_refused_as_at_a_node() throws Exception {
    for (String language : List.of("python", "go", "node")) {
      Path home = Clients.ready(language);
      SameAnswer.of(
          Stage.auth(),
          (target, seen) -> Clients.transcribe(client(language, home, target), home, seen));
    }
  }

  @Test
  void identities_share_no_connection_to_a_node() throws Exception {
    Stage stage = Stage.auth();
    try (CqlSession admin = JavaDriver.openAs(stage.sluice(), "cassandra", "cassandra")) {
      for (String role : List.of("alone_a", "alone_b")) {
        admin.execute(
            "CREATE ROLE IF NOT EXISTS " + role + " WITH PASSWORD = 'p' AND LOGIN = true");
      }
      try (CqlSession a = JavaDriver.openAs(stage.sluice(), "alone_a", "p");
          CqlSession b = JavaDriver.openAs(stage.sluice(), "alone_b", "p");
          CqlSession direct = JavaDriver.openAs(stage.direct(), "cassandra", "cassandra")) {
        Map<String, Long> before = requestsPerRole(direct);
        for (int i = 0; i < 40; i++) {
          a.execute("SELECT * FROM system_schema.keyspaces");
          if (i % 2 == 0) {
            b.execute("SELECT * FROM system_schema.keyspaces");
          }
        }
        Map<String, Long> after = requestsPerRole(direct);
        assertThat(after.getOrDefault("alone_a", 0L) - before.getOrDefault("alone_a", 0L))
            .as("requests as a")
            .isBetween(40L, 59L);
        assertThat(after.getOrDefault("alone_b", 0L) - before.getOrDefault("alone_b", 0L))
            .as("requests as b")
            .isBetween(20L, 39L);
      }
    }
  }

  /** EXPLAIN shows nothing of a table to a role that may not read it. */
  @Test
  void explain_needs_the_permission_of_the_select() {
    Target target = Stage.auth().sluice();
    try (CqlSession admin = JavaDriver.openAs(target, "cassandra", "cassandra")) {
      for (String cql :
          List.of(
              "CREATE KEYSPACE IF NOT EXISTS explained WITH replication ="
                  + " {'class': 'SimpleStrategy', 'replication_factor': 1}",
              "CREATE TABLE IF NOT EXISTS explained.t (a int, b text, v int, PRIMARY KEY ((a, b)))",
              "CREATE ROLE IF NOT EXISTS explainer WITH PASSWORD = 'p' AND LOGIN = true")) {
        admin.execute(cql);
      }
      String explain = "EXPLAIN SELECT a, b, v FROM explained.t LIMIT 50";
      Row first = admin.execute(explain).iterator().next();
      assertThat(first.getString("step")).isEqualTo("split");
      assertThat(first.getString("rows")).isNotEmpty();
      assertThat(first.getString("note")).contains("up to 50 rows");
      assertThatThrownBy(() -> admin.execute("EXPLAIN SELECT nothing FROM explained.t"))
          .hasMessageContaining("nothing");
      analyzeRunsTheSelect(admin);
      try (CqlSession other = JavaDriver.openAs(target, "explainer", "p")) {
        assertThatThrownBy(() -> other.execute(explain)).isInstanceOf(UnauthorizedException.class);
        assertThatThrownBy(() -> other.execute(explain + " ALLOW FILTERING"))
            .isInstanceOf(UnauthorizedException.class);
        assertThatThrownBy(() -> other.execute(explain.replace("EXPLAIN", "EXPLAIN ANALYZE")))
            .isInstanceOf(UnauthorizedException.class);
      }
    }
  }

  /**
   * Reads three rows in two pages. EXPLAIN ANALYZE reports the first page and runs nothing else.
   */
  private static void analyzeRunsTheSelect(CqlSession admin) {
    for (int i = 0; i < 3; i++) {
      admin.execute("INSERT INTO explained.t (a, b, v) VALUES (" + i + ", 'x', 1)");
    }
    SimpleStatement analyze =
        SimpleStatement.newInstance("EXPLAIN ANALYZE SELECT a, b, v FROM explained.t");
    List<Row> all = admin.execute(analyze).all();
    Row total = all.get(all.size() - 1);
    assertThat(total.getString("step")).isEqualTo("total");
    assertThat(total.getString("rows")).isEqualTo("3");
    assertThat(all.get(0).getString("node")).contains(":");
    assertThat(Double.parseDouble(String.valueOf(all.get(0).getString("read_ms")))).isPositive();
    List<Row> paged = admin.execute(analyze.setPageSize(2)).all();
    assertThat(paged.get(paged.size() - 1).getString("note"))
        .endsWith("one page of up to 2 rows, more follow");

    Row point =
        admin
            .execute(
                SimpleStatement.newInstance(
                    "EXPLAIN JSON ANALYZE SELECT v FROM explained.t WHERE a = ? AND b = ?", 1, "x"))
            .one();
    assertThat(Objects.requireNonNull(point).getString(0))
        .startsWith("{\"requests\": [{\"step\": \"read\"")
        .contains("\"rows\": 1,");
    assertThatThrownBy(
            () -> admin.execute("EXPLAIN ANALYZE INSERT INTO explained.t (a, b) VALUES (9, 'x')"))
        .isInstanceOf(InvalidQueryException.class);
    assertThat(admin.execute("SELECT a FROM explained.t").all()).hasSize(3);
  }

  @Test
  void logins_and_refused_logins_are_in_the_audit_log() throws Exception {
    Stage.auth().needsProxy();
    Logger logger = (Logger) LoggerFactory.getLogger("io.sluice.audit");
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    log.start();
    logger.setLevel(Level.INFO);
    logger.setAdditive(false);
    logger.addAppender(log);
    ProxyConfig config =
        OwnNodes.proxyBefore(
            List.of(Stage.auth().direct().address()),
            new ClusterConfig.Credentials("cassandra", "cassandra"));
    try (Proxy proxy = Proxy.start(config, new SimpleMeterRegistry())) {
      LiveConfig live = config.live();
      AuditConfig all = new AuditConfig(true, true, true, 20);
      proxy.apply(new LiveConfig(live.exchange(), live.roles(), live.rules(), live.slowLog(), all));
      Target target = new Target("Sluice", true, proxy.address(), "aud_");
      JavaDriver.openAs(target, "cassandra", "cassandra").close();
      assertThatThrownBy(() -> JavaDriver.openAs(target, "cassandra", "wrong word").close())
          .isNotNull();
    } finally {
      logger.detachAppender(log);
    }
    List<String> lines = log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    assertThat(lines)
        .anyMatch(line -> line.contains("\"event\": \"login\", \"role\": \"cassandra\""))
        .anyMatch(
            line ->
                line.contains("\"event\": \"login_failed\", \"role\": \"cassandra\"")
                    && line.contains("\"error\": \"BAD_CREDENTIALS\""))
        .noneMatch(line -> line.contains("wrong word"));
  }

  @Test
  void the_next_connection_needs_the_changed_password() {
    Target target = Stage.auth().sluice();
    try (CqlSession admin = JavaDriver.openAs(target, "cassandra", "cassandra")) {
      admin.execute("CREATE ROLE IF NOT EXISTS changer WITH PASSWORD = 'old' AND LOGIN = true");
      JavaDriver.openAs(target, "changer", "old").close();
      // Cassandra allows a password change only every five seconds.
      await()
          .atMost(Waiting.PATIENCE)
          .ignoreExceptions()
          .until(() -> admin.execute("ALTER ROLE changer WITH PASSWORD = 'new'") != null);
      Waiting.aMoment(300);
      assertThatThrownBy(() -> JavaDriver.openAs(target, "changer", "old").close())
          .isInstanceOf(AllNodesFailedException.class)
          .hasMessageContaining("changer");
      JavaDriver.openAs(target, "changer", "new").close();
    }
  }

  private static String login(Target target, int version, String token) throws Exception {
    try (RawConnection connection = new RawConnection(target.address())) {
      connection.send(Bytes.frame(version, 0, 1, Bytes.STARTUP, Bytes.startup()));
      String asked = connection.outcome(5_000);
      if (version >= 5) {
        connection.speakInSegments();
      }
      byte[] bytes = token.getBytes(StandardCharsets.UTF_8);
      byte[] body = new Bytes().int32(bytes.length).bytes(bytes).done();
      connection.send(Bytes.frame(version, 0, 2, Bytes.AUTH_RESPONSE, body));
      return asked + " then " + connection.outcome(5_000);
    }
  }

  private static void rolesAndPermissions(Target target, Transcript seen) {
    String ks = target.keyspace("auth");
    String a = target.keyspace("ann");
    String b = target.keyspace("bob");
    try (CqlSession admin = JavaDriver.openAs(target, "cassandra", "cassandra")) {
      Place place = new Place(admin, target, ks);
      for (String cql :
          List.of(
              "CREATE KEYSPACE $ks WITH replication ="
                  + " {'class': 'SimpleStrategy', 'replication_factor': 1}",
              "CREATE TABLE $ks.secret (k int PRIMARY KEY, v text)",
              "INSERT INTO $ks.secret (k, v) VALUES (1, 'for b')",
              "CREATE ROLE " + a + " WITH PASSWORD = 'a' AND LOGIN = true",
              "CREATE ROLE " + b + " WITH PASSWORD = 'b' AND LOGIN = true",
              "CREATE ROLE " + b + " WITH PASSWORD = 'b' AND LOGIN = true",
              "GRANT SELECT ON $ks.secret TO " + b,
              "LIST ROLES OF " + b,
              "LIST ALL PERMISSIONS OF " + b,
              "LIST ROLES OF nobody")) {
        seen.attempt(cql, () -> place.run(cql));
      }
      Waiting.aMoment(300);
      try (CqlSession ann = JavaDriver.openAs(target, a, "a");
          CqlSession bob = JavaDriver.openAs(target, b, "b")) {
        asRole(new Place(bob, target, ks), seen, "bob");
        asRole(new Place(ann, target, ks), seen, "ann");
        asRole(new Place(bob, target, ks), seen, "bob again");
        assertThatThrownBy(() -> ann.execute("SELECT * FROM " + ks + ".secret WHERE k = 1"))
            .isInstanceOf(UnauthorizedException.class);
        seen.attempt("revoke", () -> place.run("REVOKE SELECT ON $ks.secret FROM " + b));
        Waiting.aMoment(500);
        asRole(new Place(bob, target, ks), seen, "bob without");
      }
      seen.attempt("drop a", () -> place.run("DROP ROLE " + a));
      seen.attempt("drop b", () -> place.run("DROP ROLE " + b));
    }
  }

  private static void asRole(Place place, Transcript seen, String who) {
    for (String cql :
        List.of(
            "SELECT * FROM $ks.secret WHERE k = 1",
            "SELECT * FROM $ks.secret",
            "SELECT * FROM $ks.secret WHERE token(k) > 0",
            "INSERT INTO $ks.secret (k, v) VALUES (2, 'x')",
            "DROP TABLE $ks.secret",
            "LIST ROLES",
            "SELECT * FROM system_auth.roles",
            "SELECT key FROM system.local")) {
      seen.attempt(who + " " + cql, () -> place.run(cql));
    }
    seen.attempt(
        who + " prepared",
        () ->
            place.session().execute(place.prepare("SELECT v FROM $ks.secret WHERE k = ?").bind(1)));
  }

  /** Returns the number of requests by role of the connection, as the node counts them. */
  private static Map<String, Long> requestsPerRole(CqlSession node) {
    Map<String, Long> requests = new TreeMap<>();
    for (Row row : node.execute("SELECT username, request_count FROM system_views.clients")) {
      requests.merge(String.valueOf(row.getString(0)), row.getLong(1), Long::sum);
    }
    return requests;
  }

  private static List<String> client(String language, Path home, Target target) {
    List<String> command =
        new ArrayList<>(
            switch (language) {
              case "python" -> command(home.resolve("bin/python"), home.resolve("client.py"));
              case "go" -> command(home.resolve("client"));
              default -> command("node", home.resolve("client.js"));
            });
    command.addAll(
        command(target.host(), target.port(), target.keyspace("x"), "cassandra", "cassandra"));
    return command;
  }
}
