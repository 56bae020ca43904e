package io.sluice.agent.join;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeldCompactionsTest {
  private final Map<Object, Integer> sstables = new HashMap<>();
  private final Map<Object, String> keyspaces = new LinkedHashMap<>();
  private final List<Object> submitted = new ArrayList<>();
  private final HeldCompactions held =
      new HeldCompactions(
          new CompactedTables() {
            @Override
            public String keyspaceOf(Object table) {
              return keyspaces.get(table);
            }

            @Override
            public int sstablesOf(Object table) {
              return sstables.get(table);
            }

            @Override
            public void submit(Object table) throws ReflectiveOperationException {
              switch (keyspaces.get(table)) {
                case "changed" -> throw new NoSuchMethodException("submit");
                case "broken" -> throw new IllegalStateException("a table that does not load");
                case "unlinked" -> throw new NoClassDefFoundError("CompactionManager");
                default -> {}
              }
              submitted.add(table);
            }
          });

  private Object table(String keyspace, int files) {
    Object table = new Object();
    keyspaces.put(table, keyspace);
    sstables.put(table, files);
    return table;
  }

  @Test
  void held_compactions_are_submitted_once_at_the_release() throws Exception {
    Object table = table("shop", 4);
    assertThat(held.holds(table)).isTrue();
    assertThat(held.holds(table)).isTrue();
    assertThat(held.size()).isOne();

    assertThat(held.release()).isOne();
    assertThat(held.release()).isZero();
    assertThat(submitted).containsExactly(table);
  }

  @ParameterizedTest
  @ValueSource(strings = {"changed", "broken", "unlinked"})
  void a_table_that_cannot_be_submitted_keeps_no_other_from_its_compaction(String failing)
      throws Exception {
    List<Object> sound = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      Object table = table(i % 2 == 0 ? failing : "shop", 4);
      assertThat(held.holds(table)).isTrue();
      if (i % 2 == 1) {
        sound.add(table);
      }
    }

    assertThatThrownBy(held::release)
        .isInstanceOf(ReflectiveOperationException.class)
        .satisfies(failure -> assertThat(failure.getCause()).isNotNull());
    assertThat(submitted).containsExactlyInAnyOrderElementsOf(sound);
  }

  @Test
  void a_table_that_is_taken_back_is_not_submitted() throws Exception {
    Object table = table("shop", 4);
    assertThat(held.holds(table)).isTrue();
    assertThat(held.takeBack(table)).isTrue();
    assertThat(held.takeBack(table)).isFalse();
    assertThat(held.release()).isZero();
    assertThat(submitted).isEmpty();
  }

  @Test
  void a_table_with_many_sstables_is_not_held() throws Exception {
    assertThat(held.holds(table("shop", HeldCompactions.MAX_SSTABLES - 1))).isTrue();
    assertThat(held.holds(table("shop", HeldCompactions.MAX_SSTABLES))).isFalse();
  }

  @Test
  void cassandras_own_tables_are_not_held() throws Exception {
    assertThat(held.holds(table("system", 4))).isFalse();
    assertThat(held.holds(table("system_auth", 4))).isFalse();
    assertThat(held.release()).isZero();
  }
}
