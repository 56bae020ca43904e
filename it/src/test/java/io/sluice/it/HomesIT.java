package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.sluice.it.cluster.Capability;
import io.sluice.it.cluster.CassandraCluster;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Three proxies, each the home of some nodes, at which the range reads of all three queue. */
@CassandraCluster(needs = Capability.IN_PROCESS_PROXY)
class HomesIT {

  private static final int QUERIES = Integer.getInteger("sluice.it.homes.queries", 200);
  private static final long SEED = Long.getLong("sluice.it.seed", 43);
  private static final int ROWS = 3_000;

  private final Stage stage = Stage.plain();

  @Test
  @Tag("long")
  void any_range_read_has_the_answer_that_a_node_gives() throws Exception {
    Map<String, CqlSession> sessions = new HashMap<>();
    try (HomeFleet fleet = new HomeFleet(3);
        CqlSession direct = JavaDriver.open(stage.direct(), new Wire("V5", "none"))) {
      for (int rf : new int[] {1, 3}) {
        RangeTables.create(new Place(direct, stage.direct(), "homes_rf" + rf), rf, "murmur3", SEED);
      }
      RangeQueries queries = new RangeQueries(SEED, "murmur3");
      List<String> differences = new ArrayList<>();
      for (int i = 0; i < QUERIES && differences.size() < 20; i++) {
        RangeQueries.Query query = queries.next();
        String keyspace = i % 2 == 0 ? "homes_rf1" : "homes_rf3";
        CqlSession node =
            sessions.computeIfAbsent(
                "direct" + query.version(),
                name -> JavaDriver.open(stage.direct(), new Wire(query.version(), "none")));
        CqlSession homes =
            sessions.computeIfAbsent(query.version(), name -> fleet.session(query.version()));
        CompletableFuture<RangeAnswer> asked =
            CompletableFuture.supplyAsync(() -> RangeAnswer.of(node, keyspace, query));
        RangeAnswer through = RangeAnswer.of(homes, keyspace, query);
        String difference = asked.join().difference(through);
        if (difference != null) {
          differences.add("%n%d %s %s%n  %s".formatted(i, keyspace, query, difference));
        }
      }
      assertThat(differences).as("of %d queries with seed %d", QUERIES, SEED).isEmpty();
      // A proxy keeps the pieces of the nodes whose home it is itself, one of three here.
      assertThat(fleet.counted("sluice.home.sent")).isGreaterThan(QUERIES / 2.0);
      assertThat(fleet.counted("sluice.home.guests"))
          .as("of %s sent", fleet.counted("sluice.home.sent"))
          .isGreaterThan(0.98 * fleet.counted("sluice.home.sent"));
    } finally {
      sessions.values().forEach(CqlSession::close);
    }
  }

  @Test
  void a_home_that_is_killed_loses_no_read_and_doubles_no_row_and_liars_gain_nothing()
      throws Exception {
    try (HomeFleet fleet = new HomeFleet(3);
        CqlSession session = fleet.session("V5");
        CqlSession direct = JavaDriver.open(stage.direct(), Wire.USUAL)) {
      Place place = new Place(direct, stage.direct(), "homes_kill");
      SchemaScripts.keyspace(place);
      List<Integer> keys = Scans.fill(place, ROWS);
      everyNodeHasItsHome(session, fleet);
      aLiarGainsNothing(session, direct, fleet);

      List<String> failed =
          new Scans(session, place.keyspace(), keys)
              .during(
                  () -> {
                    Waiting.aMoment(500);
                    fleet.kill(fleet.indexOfAHome(session));
                    fleet.awaitMembers();
                    double before = fleet.counted("sluice.home.guests");
                    await()
                        .atMost(Waiting.PATIENCE)
                        .until(() -> fleet.counted("sluice.home.guests") > before);
                  });
      assertThat(failed).as("scans that failed").isEmpty();
      assertThat(fleet.counted("sluice.home.fallbacks")).isPositive();
      everyNodeHasItsHome(session, fleet);
    }
  }

  private static void everyNodeHasItsHome(CqlSession session, HomeFleet fleet) {
    Set<String> proxies = new HashSet<>();
    fleet.members.forEach(each -> proxies.add("127.0.0.1:" + each.port()));
    await()
        .atMost(Waiting.PATIENCE)
        .untilAsserted(
            () ->
                assertThat(session.execute("SELECT node, home FROM system_proxy.nodes").all())
                    .hasSize(3)
                    .allSatisfy(row -> assertThat(row.getString("home")).isIn(proxies)));
  }

  /**
   * Checks that the same bytes are a piece with the secret of the home, and an ordinary request
   * with another one.
   */
  private void aLiarGainsNothing(CqlSession session, CqlSession direct, HomeFleet fleet)
      throws IOException {
    UUID host =
        Objects.requireNonNull(direct.execute("SELECT host_id FROM system.local").one())
            .getUuid("host_id");
    List<UUID> secrets = new ArrayList<>();
    direct
        .execute("SELECT secret FROM sluice.proxies WHERE datacenter = 'datacenter1'")
        .forEach(row -> secrets.add(row.getUuid("secret")));
    assertThat(secrets).hasSizeGreaterThanOrEqualTo(3);
    double guests = fleet.counted("sluice.home.guests");
    ResultSet lie = ask(session, UUID.randomUUID(), host);
    assertThat(lie.getExecutionInfo().getIncomingPayload()).doesNotContainKey("sluice-home");
    assertThat(lie.all()).hasSize(ROWS);

    for (UUID secret : secrets) {
      for (int i = 0; i < 20 && fleet.counted("sluice.home.guests") == guests; i++) {
        ask(session, secret, host);
      }
    }
    assertThat(fleet.counted("sluice.home.guests")).as("with the secret").isGreaterThan(guests);
  }

  private static ResultSet ask(CqlSession session, UUID proof, UUID node) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.write(new byte[] {1, 0});
    for (UUID each : List.of(proof, node)) {
      out.writeLong(each.getMostSignificantBits());
      out.writeLong(each.getLeastSignificantBits());
    }
    out.writeInt(7);
    out.writeDouble(7);
    out.writeLong(0);
    out.writeLong(5_000_000_000L);
    out.writeDouble(1);
    out.writeInt(1);
    out.writeDouble(0);
    out.writeInt(0);
    return session.execute(
        SimpleStatement.newInstance("SELECT k FROM homes_kill.t")
            .setCustomPayload(Map.of("sluice-piece", ByteBuffer.wrap(bytes.toByteArray()))));
  }
}
