package io.sluice.execute.members;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.classify.BoundValues;
import io.sluice.decide.classify.Classified;
import io.sluice.decide.classify.Classifier;
import io.sluice.execute.members.Members.ProxyMembers;
import io.sluice.execute.table.NotAnswerable;
import io.sluice.ring.Catalog;
import io.sluice.ring.TestPartitioner;
import io.sluice.wire.RowSet;
import io.sluice.wire.TestColumns;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests random SELECTs from the three tables: each returns rows, or an error with a message. */
class MembersFuzzTest {

  private static final long SEED = Long.getLong("sluice.fuzz.seed", 20261123L);
  private static final int STATEMENTS = 20_000;

  private static final List<String> COLUMNS =
      List.of("key", "peer", "peer_port", "host_id", "rack", "tokens", "nothing", "\"Peer\"");
  private static final List<String> TERMS =
      List.of(
          "?",
          ":n",
          "'local'",
          "'10.0.0.2'",
          "'nowhere'",
          "''",
          "7",
          "-1",
          "9999999999999999999",
          "1.5",
          "NaN",
          "0xcafe",
          "true",
          "null",
          "1h",
          "[1]",
          "{1}",
          "{1: 2}",
          "(1, 2)",
          "(int) 3",
          "f(1)",
          "1 + 1",
          "peer.x",
          "peer[0]",
          "CAST(peer AS text)",
          "f81d4fae-7dec-11d0-a765-00a0c91e6bf6");
  private static final List<String> FUNCTIONS =
      List.of("count", "system.count", "toJson", "writetime", "token", "max", "ks.f");
  private static final List<String> COMPARISONS =
      List.of("=", ">", "<=", "!=", "CONTAINS", "CONTAINS KEY", "LIKE");
  private static final List<String> TAILS =
      List.of(
          "",
          "",
          "",
          " LIMIT 1",
          " LIMIT ?",
          " LIMIT 0",
          " LIMIT -5",
          " LIMIT 99999999999",
          " PER PARTITION LIMIT 1",
          " ALLOW FILTERING",
          " GROUP BY peer",
          " ORDER BY peer_port DESC",
          " ORDER BY peer ANN OF [1.0]");

  private static final RowSet LOCAL =
      new RowSet(
          TestColumns.of("local", "key text, host_id uuid, rack text, tokens set<text>"),
          List.of(Arrays.asList(null, null, null, null)));
  private static final RowSet NO_LOCAL = new RowSet(TestColumns.of("local", "key text"), List.of());
  private static final RowSet PEERS =
      new RowSet(
          TestColumns.of(
              "peers_v2", "peer inet, peer_port int, host_id uuid, rack text, tokens set<text>"),
          List.of());

  private final Random random = new Random(SEED);

  private String one(List<String> of) {
    return of.get(random.nextInt(of.size()));
  }

  private String list(int most, java.util.function.Supplier<String> each) {
    List<String> all = new ArrayList<>();
    for (int n = random.nextInt(most + 1); n > 0; n--) {
      all.add(each.get());
    }
    return String.join(", ", all);
  }

  private String selector() {
    String value =
        switch (random.nextInt(6)) {
          case 0, 1 -> one(COLUMNS);
          case 2 -> one(TERMS);
          case 3 -> one(FUNCTIONS) + "(*)";
          default ->
              one(FUNCTIONS)
                  + "("
                  + list(2, () -> one(random.nextBoolean() ? COLUMNS : TERMS))
                  + ")";
        };
    return value + (random.nextInt(4) == 0 ? " AS \"An alias\"" : "");
  }

  private String condition() {
    return switch (random.nextInt(7)) {
      case 0 -> one(COLUMNS) + " IN (" + list(3, () -> one(TERMS)) + ")";
      case 1 -> one(COLUMNS) + " IN ?";
      case 2 -> "token(" + one(COLUMNS) + ") > " + one(TERMS);
      case 3 -> "(" + one(COLUMNS) + ", " + one(COLUMNS) + ") = " + one(TERMS);
      case 4 -> one(COLUMNS) + "[" + one(TERMS) + "] = " + one(TERMS);
      default -> one(COLUMNS) + " " + one(COMPARISONS) + " " + one(TERMS);
    };
  }

  private String select() {
    StringBuilder cql = new StringBuilder("SELECT ");
    cql.append(one(List.of("", "", "JSON ", "DISTINCT ", "JSON DISTINCT ")));
    cql.append(random.nextInt(4) == 0 ? "*" : selector());
    String more = list(2, this::selector);
    cql.append(more.isEmpty() ? "" : ", " + more);
    cql.append(" FROM system.").append(one(List.of("local", "peers", "peers_v2")));
    int conditions = random.nextInt(3);
    for (int i = 0; i < conditions; i++) {
      cql.append(i == 0 ? " WHERE " : " AND ").append(condition());
    }
    return cql.append(one(TAILS)).toString();
  }

  private final BoundValues values =
      new BoundValues() {
        @Override
        public @Nullable ByteBuffer get(int index) {
          byte[] bytes = new byte[random.nextInt(20)];
          random.nextBytes(bytes);
          return random.nextInt(4) == 0 ? null : ByteBuffer.wrap(bytes);
        }

        @Override
        public @Nullable ByteBuffer get(String name) {
          return get(0);
        }
      };

  @Test
  void only_errors_with_a_message_are_thrown() {
    InetSocketAddress self = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    InetSocketAddress other = new InetSocketAddress(InetAddress.getLoopbackAddress(), 2);
    ProxyMembers members =
        new ProxyMembers(
            "c",
            "org.apache.cassandra.dht.Murmur3Partitioner",
            self,
            List.of(self, other),
            id -> true);
    int answered = 0;
    for (int i = 0; i < STATEMENTS; i++) {
      String cql = select();
      Classified statement =
          new Classifier().classify(cql, null, Catalog.EMPTY, TestPartitioner.ANY);
      RowSet local = random.nextInt(10) == 0 ? NO_LOCAL : LOCAL;
      try {
        Members.concerns(statement);
        RowSet rows =
            Members.answer(
                statement,
                values,
                members,
                local,
                "local".equals(statement.table()) ? local : PEERS);
        assertThat(rows.rows())
            .as(cql)
            .allSatisfy(row -> assertThat(row).hasSameSizeAs(rows.columns()));
        answered++;
      } catch (NotAnswerable e) {
        assertThat(e.getMessage()).as(cql).isNotBlank();
      } catch (RuntimeException e) {
        throw new AssertionError("seed " + SEED + ": " + cql, e);
      }
    }
    assertThat(answered).isGreaterThan(STATEMENTS / 100);
  }
}
