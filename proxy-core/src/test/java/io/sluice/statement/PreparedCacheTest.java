package io.sluice.statement;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.classify.Classifier;
import io.sluice.execute.dispatch.PreparedText;
import io.sluice.ring.Catalog;
import io.sluice.ring.TestPartitioner;
import io.sluice.wire.PreparedId;
import io.sluice.wire.TestFrames;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The contents of the cache of prepared statements over time. */
class PreparedCacheTest {

  private static final PreparedId ID = TestFrames.id("one");
  private static final PreparedId OTHER = TestFrames.id("two");
  private static final PreparedText TEXT = new PreparedText("SELECT * FROM t", "ks");
  private static final Catalog CATALOG = (keyspace, table) -> null;

  private final PreparedCache cache = new PreparedCache(10);
  private final List<String> read = new ArrayList<>();

  private StatementReader.Understood read(String cql, String keyspace) {
    read.add(keyspace + ": " + cql);
    return new StatementReader.Understood(
        new Classifier().classify(cql, keyspace, CATALOG, TestPartitioner.ANY), null);
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
  void it_is_read_again_when_the_schema_has_changed() {
    cache.remember(ID, TEXT, CATALOG, this::read);
    Catalog changed = (keyspace, table) -> null;
    cache.get(ID, changed, this::read);
    cache.get(ID, changed, this::read);
    assertThat(read).hasSize(2);
  }

  @Test
  void what_nobody_prepared_is_unknown() {
    assertThat(cache.get(ID, CATALOG, this::read)).isNull();
    assertThat(cache.text(ID)).isNull();
    assertThat(read).isEmpty();
  }

  @Test
  void a_parts_statement_heals_by_its_id_but_is_no_clients_to_execute() {
    cache.rememberPart(TEXT, ID);
    assertThat(cache.partId(TEXT)).isEqualTo(ID);
    assertThat(cache.text(ID)).isEqualTo(TEXT);
    assertThat(cache.get(ID, CATALOG, this::read)).isNull();
  }

  @Test
  void a_part_whose_id_a_node_denies_is_prepared_anew_and_may_get_another() {
    cache.rememberPart(TEXT, ID);
    cache.forgetPart(TEXT);
    assertThat(cache.partId(TEXT)).isNull();
    cache.rememberPart(TEXT, OTHER);
    assertThat(cache.partId(TEXT)).isEqualTo(OTHER);
  }
}
