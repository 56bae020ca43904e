package io.sluice.statement;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.classify.Classifier;
import io.sluice.execute.dispatch.PreparedTexts.PreparedText;
import io.sluice.ring.Catalog;
import io.sluice.ring.TestPartitioner;
import io.sluice.wire.Answers;
import io.sluice.wire.PreparedId;
import io.sluice.wire.StatementMetadata;
import io.sluice.wire.TestFrames;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests the contents of the cache of prepared statements over time. */
class PreparedCacheTest {

  private static final PreparedId ID = TestFrames.id("one");
  private static final PreparedId OTHER = TestFrames.id("two");
  private static final PreparedText TEXT = new PreparedText("SELECT * FROM t", "ks");
  private static final Catalog CATALOG = (keyspace, table) -> null;

  private final PreparedCache cache = new PreparedCache(10, 1 << 20);
  private final List<String> read = new ArrayList<>();

  private TextReader.Understood read(String cql, String keyspace) {
    read.add(keyspace + ": " + cql);
    return new TextReader.Understood(
        new Classifier().classify(cql, keyspace, CATALOG, TestPartitioner.ANY), null, false);
  }

  @Test
  void a_statement_is_read_once_and_known_by_its_id() {
    cache.remember(ID, TEXT, CATALOG, this::read);
    PreparedCache.Prepared known = cache.get(ID, CATALOG, this::read);
    assertThat(known).isNotNull();
    assertThat(known.text()).isEqualTo(TEXT);
    assertThat(cache.text(ID)).isEqualTo(TEXT);
    assertThat(read).containsExactly("ks: SELECT * FROM t");
  }

  @Test
  void a_statement_is_read_again_when_the_schema_has_changed() {
    cache.remember(ID, TEXT, CATALOG, this::read);
    Catalog changed = (keyspace, table) -> null;
    cache.get(ID, changed, this::read);
    cache.get(ID, changed, this::read);
    assertThat(read).hasSize(2);
  }

  /** A schema that comes back is a new one: what was read under another is read again. */
  @Test
  void a_statement_is_read_again_when_an_earlier_schema_comes_back() {
    cache.remember(ID, TEXT, CATALOG, this::read);
    cache.get(ID, (keyspace, table) -> null, this::read);
    cache.get(ID, CATALOG, this::read);
    cache.get(ID, CATALOG, this::read);
    assertThat(read).hasSize(3);
  }

  @Test
  void a_statement_is_read_again_however_many_schemas_it_has_missed() {
    cache.remember(ID, TEXT, CATALOG, this::read);
    for (int changes = 1; changes <= 4; changes++) {
      Catalog next = CATALOG;
      for (int i = 0; i < changes; i++) {
        String unlike = "t" + i;
        next = (keyspace, table) -> table.equals(unlike) ? null : CATALOG.table(keyspace, table);
        cache.remember(OTHER, new PreparedText("SELECT * FROM u", null), next, this::read);
      }
      read.clear();
      cache.get(ID, next, this::read);
      assertThat(read).as("after %d changes", changes).containsExactly("ks: SELECT * FROM t");
    }
  }

  @Test
  void a_statement_fits_if_half_of_the_memory_holds_it() {
    assertThat(cache.maxEntryBytes()).isEqualTo(1 << 19);
    int longest = ((1 << 19) - 1024) / 6;
    assertThat(fits("x".repeat(longest))).isTrue();
    assertThat(fits("x".repeat(longest + 1))).isFalse();
  }

  private boolean fits(String cql) {
    return cache.fits(new PreparedText(cql, "ks"), read(cql, "ks").classified());
  }

  private static String inList(int literals) {
    return "SELECT a FROM t WHERE c IN (1" + ",1".repeat(literals - 1) + ") ALLOW FILTERING";
  }

  /** A literal of two characters takes more than a hundred bytes of the heap. */
  @Test
  void a_statement_of_many_literals_needs_more_memory_than_its_text() {
    assertThat(fits(inList(3_000))).isTrue();
    assertThat(fits(inList(5_000))).isFalse();
  }

  @Test
  void statements_of_many_literals_are_bounded_by_their_memory() {
    PreparedCache bounded = new PreparedCache(1000, 32 << 20);
    String cql = inList(32_000);
    for (int i = 0; i < 42; i++) {
      PreparedText text = new PreparedText(cql + " -- " + i + "\n", "ks");
      bounded.remember(TestFrames.id("id" + i), text, CATALOG, this::read);
    }
    long known =
        IntStream.range(0, 42).filter(i -> bounded.text(TestFrames.id("id" + i)) != null).count();
    assertThat(known * 3_465_000).isBetween(3_465_000L, 16L << 20);
  }

  @Test
  void facts_are_those_of_clients_statements_up_to_a_number() {
    cache.remember(ID, TEXT, CATALOG, this::read);
    cache.remember(OTHER, new PreparedText("SELECT * FROM u", null), CATALOG, this::read);
    cache.rememberPiece(new PreparedText("piece", null), TestFrames.id("piece"));
    assertThat(cache.facts(10))
        .extracting(PreparedCache.PreparedFacts::cql)
        .containsExactlyInAnyOrder("SELECT * FROM t", "SELECT * FROM u");
    assertThat(cache.facts(10))
        .contains(
            new PreparedCache.PreparedFacts(
                ID, "ks", read("SELECT * FROM t", "ks").classified().digest(), "SELECT * FROM t"));
    assertThat(cache.facts(1)).hasSize(1);
  }

  @Test
  void statements_of_pieces_are_bounded_and_leave_room_for_clients() {
    PreparedCache bounded = new PreparedCache(1000, 1 << 20);
    bounded.remember(ID, TEXT, CATALOG, this::read);
    String comment = " -- " + "x".repeat(10_000);
    long known = 0;
    for (int i = 0; i < 1000; i++) {
      bounded.rememberPiece(new PreparedText(i + comment, "ks"), TestFrames.id("id" + i));
    }
    for (int i = 0; i < 1000; i++) {
      known += bounded.pieceId(new PreparedText(i + comment, "ks")) == null ? 0 : 1;
      known += bounded.text(TestFrames.id("id" + i)) == null ? 0 : 1;
    }
    assertThat(known).isBetween(1L, 8L);
    assertThat(bounded.text(ID)).isEqualTo(TEXT);
  }

  @Test
  void rows_that_match_end_the_doubt_of_their_connection_only() {
    cache.remember(ID, TEXT, CATALOG, this::read);
    cache.recordSent(ID, 4, 1, columns("k"));
    cache.doubt(ID, 4, 1);
    cache.doubt(ID, 4, 2);
    assertThat(cache.isUnconfirmed(ID, 1, columns("k"))).as("before it prepares again").isFalse();
    cache.recordSent(ID, 4, 1, columns("k"));
    cache.recordSent(ID, 4, 2, columns("k"));
    assertThat(cache.isUnconfirmed(ID, 1, columns("k"))).isTrue();
    cache.confirm(ID, 4, 1);
    assertThat(cache.isUnconfirmed(ID, 1, columns("k"))).isFalse();
    assertThat(cache.isUnconfirmed(ID, 2, columns("k"))).isTrue();
    assertThat(cache.isUnconfirmed(ID, 2, columns("v"))).as("other columns").isFalse();
  }

  @Test
  void what_is_told_of_an_unknown_statement_is_forgotten() {
    cache.recordSent(ID, 4, 1, columns("k"));
    cache.doubt(ID, 4, 1);
    cache.confirm(ID, 4, 1);
    assertThat(cache.isUnconfirmed(ID, 1, columns("k"))).isFalse();
    assertThat(cache.isCurrent(ID, 4, columns("k"))).as("nothing newer is known").isTrue();
    cache.remember(ID, TEXT, CATALOG, this::read);
    assertThat(cache.isCurrent(ID, 4, columns("k"))).isFalse();
    PreparedCache.Prepared known = cache.get(ID, CATALOG, this::read);
    assertThat(known).isNotNull();
    assertThat(known.latest(4)).isNull();
    assertThat(cache.sent(ID, known, 4, 1)).isNull();
  }

  private static StatementMetadata columns(String... columns) {
    return Answers.statementMetadata(TestFrames.prepared(4, ID, columns));
  }

  @Test
  void a_statement_is_as_told_while_nodes_return_the_columns_that_clients_know() {
    cache.remember(ID, TEXT, CATALOG, this::read);
    assertThat(cache.matchesSent(ID, 4, columns("k")))
        .as("before any client knows the columns")
        .isFalse();
    cache.recordSent(ID, 4, 1, columns("k"));
    assertThat(cache.matchesSent(ID, 4, columns("k"))).isTrue();
    assertThat(cache.matchesSent(ID, 5, columns("k"))).as("in another version").isFalse();
    assertThat(cache.matchesSent(ID, 4, columns("k", "v"))).isFalse();
  }

  @Test
  void columns_that_a_node_changed_are_new_to_every_connection() {
    cache.remember(ID, TEXT, CATALOG, this::read);
    cache.recordSent(ID, 4, 1, columns("k"));
    cache.matchesSent(ID, 4, columns("k", "v"));
    PreparedCache.Prepared known = cache.get(ID, CATALOG, this::read);
    assertThat(known).isNotNull();
    assertThat(cache.sent(ID, known, 4, 1)).isNull();
    cache.recordSent(ID, 4, 2, columns("k", "v"));
    assertThat(cache.sent(ID, known, 4, 1)).isNull();
    assertThat(cache.sent(ID, known, 4, 2)).isEqualTo(columns("k", "v"));
  }

  /** Two lanes may prepare the same statement at the same time. */
  @Test
  void columns_that_a_client_was_sent_while_another_prepares_are_known_as_changed() {
    cache.remember(
        ID,
        TEXT,
        CATALOG,
        (cql, keyspace) -> {
          cache.remember(ID, TEXT, CATALOG, this::read);
          cache.recordSent(ID, 4, 1, columns("k"));
          return read(cql, keyspace);
        });
    cache.recordSent(ID, 4, 2, columns("k", "v"));
    PreparedCache.Prepared known = cache.get(ID, CATALOG, this::read);
    assertThat(known).isNotNull();
    assertThat(cache.sent(ID, known, 4, 1)).isNull();
    assertThat(cache.sent(ID, known, 4, 2)).isEqualTo(columns("k", "v"));
  }

  /** Another lane may evict the statement and prepare it again meanwhile. */
  @Test
  void a_statement_that_is_read_again_keeps_the_columns_that_clients_were_sent_meanwhile() {
    PreparedCache small = new PreparedCache(1, 1 << 20);
    small.remember(ID, TEXT, CATALOG, this::read);
    small.recordSent(ID, 4, 1, columns("k"));
    Catalog changed = (keyspace, table) -> null;
    small.get(
        ID,
        changed,
        (cql, keyspace) -> {
          evict(small);
          small.recordSent(ID, 4, 2, columns("k", "v"));
          return read(cql, keyspace);
        });
    PreparedCache.Prepared known = small.get(ID, changed, this::read);
    assertThat(known).isNotNull();
    assertThat(small.sent(ID, known, 4, 1)).isNull();
    assertThat(small.sent(ID, known, 4, 2)).isEqualTo(columns("k", "v"));
  }

  @Test
  void the_statement_of_a_piece_is_always_as_told() {
    cache.rememberPiece(TEXT, ID);
    assertThat(cache.matchesSent(ID, 4, columns("k"))).isTrue();
  }

  @Test
  void statements_are_bounded_in_number() {
    for (int i = 0; i < 1000; i++) {
      cache.remember(TestFrames.id("id" + i), TEXT, CATALOG, this::read);
    }
    assertThat(cache.size()).isLessThanOrEqualTo(10);
  }

  @Test
  void statements_are_bounded_in_bytes() {
    PreparedCache bounded = new PreparedCache(1000, 1 << 20);
    for (int i = 0; i < 1000; i++) {
      PreparedText text = new PreparedText("SELECT * FROM t -- " + "x".repeat(10_000), "ks" + i);
      bounded.remember(TestFrames.id("id" + i), text, CATALOG, this::read);
    }
    assertThat(bounded.size()).isBetween(1L, 10L);
  }

  /** The columns that connections know are forgotten with the statement. */
  @Test
  void the_columns_of_an_evicted_statement_are_new_to_every_connection() {
    PreparedCache small = new PreparedCache(1, 1 << 20);
    small.remember(ID, TEXT, CATALOG, this::read);
    small.recordSent(ID, 4, 1, columns("k"));
    evict(small);
    small.recordSent(ID, 4, 2, columns("k", "v"));
    PreparedCache.Prepared known = small.get(ID, CATALOG, this::read);
    assertThat(known).isNotNull();
    assertThat(small.sent(ID, known, 4, 1)).isNull();
    assertThat(small.sent(ID, known, 4, 2)).isEqualTo(columns("k", "v"));
  }

  /** Evicts the statement from a cache of one, and prepares it again. */
  private void evict(PreparedCache small) {
    for (int i = 0; i < 100; i++) {
      small.remember(TestFrames.id("id" + i), TEXT, CATALOG, this::read);
    }
    while (small.text(ID) == null) {
      small.remember(ID, TEXT, CATALOG, this::read);
    }
  }

  /** A catalog knows every table of the cluster; a statement needs one of them. */
  @Test
  void a_statement_keeps_no_catalog() {
    for (var part : PreparedCache.Prepared.class.getRecordComponents()) {
      assertThat(Catalog.class.isAssignableFrom(part.getType())).as(part.getName()).isFalse();
    }
  }

  @Test
  void a_statement_that_was_not_prepared_is_unknown() {
    assertThat(cache.get(ID, CATALOG, this::read)).isNull();
    assertThat(cache.text(ID)).isNull();
    assertThat(read).isEmpty();
  }

  @Test
  void a_client_cannot_execute_the_statement_of_a_piece() {
    cache.rememberPiece(TEXT, ID);
    assertThat(cache.pieceId(TEXT)).isEqualTo(ID);
    assertThat(cache.text(ID)).isEqualTo(TEXT);
    assertThat(cache.get(ID, CATALOG, this::read)).isNull();
  }

  @Test
  void a_forgotten_statement_of_a_piece_may_get_another_id() {
    cache.rememberPiece(TEXT, ID);
    cache.forgetPiece(TEXT);
    assertThat(cache.pieceId(TEXT)).isNull();
    cache.rememberPiece(TEXT, OTHER);
    assertThat(cache.pieceId(TEXT)).isEqualTo(OTHER);
  }
}
