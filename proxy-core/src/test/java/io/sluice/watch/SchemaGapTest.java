package io.sluice.watch;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The schema changes that happened while the control connection was moving. */
class SchemaGapTest {

  private static final Map<CqlIdentifier, KeyspaceMetadata> EMPTY = Map.of();

  private static Map<CqlIdentifier, KeyspaceMetadata> schema(String... keyspaces) {
    DriverMetadata driver = new DriverMetadata();
    for (String each : keyspaces) {
      driver.keyspace(each, DriverMetadata.simple(1));
    }
    return driver.keyspaces;
  }

  @Test
  void changes_during_one_connection_are_left_to_its_events() {
    SchemaGap gap = new SchemaGap("first", EMPTY);
    gap.read("first", schema("ks"));
    assertThat(gap.isOpen("first")).isFalse();
    assertThat(gap.close()).isEmpty();
    gap.read("second", schema("ks"));
    assertThat(gap.isOpen("second")).isTrue();
    assertThat(gap.close()).as("nothing happened meanwhile").isEmpty();
    assertThat(gap.isOpen("second")).isFalse();
  }

  @Test
  void while_events_arrive_the_newest_schema_is_the_one_to_compare_with() {
    SchemaGap gap = new SchemaGap("first", EMPTY);
    gap.follow("first", schema("ks"));
    gap.follow("second", schema("lost"));
    gap.read("second", schema("ks", "more"));
    assertThat(gap.close())
        .extracting(each -> each.type() + " " + each.keyspace())
        .containsExactly("CREATED more");
  }

  @Test
  void a_change_is_reported_once() {
    SchemaGap gap = new SchemaGap("first", EMPTY);
    gap.read("second", schema("ks"));
    assertThat(gap.close()).hasSize(1);
    assertThat(gap.close()).isEmpty();
  }

  @Test
  void the_gap_stays_open_until_the_schema_was_read_over_the_new_connection() {
    SchemaGap gap = new SchemaGap("first", EMPTY);
    assertThat(gap.close()).isEmpty();
    assertThat(gap.isOpen("second")).isTrue();
  }
}
