package io.sluice.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ring.Estimates;
import io.sluice.ring.Estimates.Counted;
import io.sluice.ring.TableName;
import io.sluice.ring.TokenRange;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests which estimates are published. */
class ChangedEstimatesTest {

  private static final TableName T = new TableName("ks", "t");
  private static final TableName U = new TableName("ks", "u");

  private final ChangedEstimates changes = new ChangedEstimates();

  private static List<Counted> counted(int partitions) {
    return List.of(new Counted(TokenRange.ALL, partitions, 10));
  }

  @Test
  void new_estimates_are_published_once() {
    assertThat(changes.isEmpty()).isTrue();
    assertThat(changes.put(T, counted(5))).isTrue();
    assertThat(changes.isEmpty()).isFalse();
    Estimates taken = changes.take();
    assertThat(changes.isEmpty()).isTrue();
    assertThat(taken.tables()).isEqualTo(Map.of(T, counted(5)));
  }

  @Test
  void equal_estimates_are_no_change() {
    changes.put(T, counted(5));
    changes.take();
    assertThat(changes.put(T, counted(5))).isFalse();
    assertThat(changes.isEmpty()).isTrue();
  }

  @Test
  void only_tables_with_other_estimates_are_published() {
    changes.put(T, counted(5));
    changes.put(U, counted(6));
    changes.take();
    changes.put(T, counted(5));
    assertThat(changes.put(U, counted(7))).isTrue();
    assertThat(changes.take().tables()).isEqualTo(Map.of(U, counted(7)));
  }

  @Test
  void the_end_of_estimates_is_a_change_only_if_there_were_any() {
    assertThat(changes.put(T, List.of())).isFalse();
    assertThat(changes.isEmpty()).isTrue();
    changes.put(T, counted(5));
    changes.take();
    assertThat(changes.isKnown(T)).isTrue();
    assertThat(changes.put(T, List.of())).isTrue();
    assertThat(changes.isKnown(T)).isFalse();
    assertThat(changes.take().tables()).isEqualTo(Map.of(T, List.of()));
    assertThat(changes.put(T, counted(5))).as("as before the end").isTrue();
  }
}
