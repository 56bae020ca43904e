package io.sluice.evaluate.drive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.internal.core.metadata.token.Murmur3Token;
import io.sluice.load.RequestFailure;
import io.sluice.load.ScanRange;
import io.sluice.load.SeenRow;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The checks of answers during a measurement. */
class AnswersTest {
  private static final Data DATA =
      new Data("ks", 3, 50, key -> new Murmur3Token(key.getLong(key.position())));

  private static final List<ByteBuffer> ASKED =
      List.of(DATA.rows().key(7), DATA.rows().key(3), DATA.rows().key(40));

  private static List<SeenRow> rows(List<ByteBuffer> keys) {
    return keys.stream().map(key -> new SeenRow(key, true)).toList();
  }

  @ParameterizedTest
  @CsvSource({"5, 5,", "4, 5, SHORT_READ", "6, 5, WRONG_ROWS", "0, 0,"})
  void an_answer_must_have_the_expected_number_of_rows(
      int count, int expected, RequestFailure failure) {
    assertThat(new Answer<>(count, List.of()).fault(expected)).isEqualTo(failure);
  }

  @Test
  void rows_are_checked_never_always_or_once_in_a_while() {
    SplittableRandom random = new SplittableRandom(1);
    long some = IntStream.range(0, 16_000).filter(i -> Check.SOME_ROWS.rowByRow(random)).count();

    assertThat(Check.COUNTS.rowByRow(random)).isFalse();
    assertThat(Check.ALL_ROWS.rowByRow(random)).isTrue();
    assertThat(some).isBetween(850L, 1150L);
  }

  @Test
  void the_keys_of_a_list_differ() {
    SplittableRandom random = new SplittableRandom(1);

    for (int i = 0; i < 100; i++) {
      List<ByteBuffer> drawn = KeyLists.draw(DATA, 50, random);
      assertThat(new HashSet<>(drawn)).hasSize(50);
    }
  }

  @Test
  void the_rows_of_a_list_may_come_in_any_order() {
    List<ByteBuffer> turned = new ArrayList<>(ASKED);
    Collections.reverse(turned);

    assertThat(KeyLists.fault(ASKED, rows(turned))).isNull();
  }

  @Test
  void a_list_must_have_a_row_for_each_key_and_no_other() {
    List<ByteBuffer> twice = List.of(ASKED.get(0), ASKED.get(0), ASKED.get(1));
    List<ByteBuffer> more = new ArrayList<>(ASKED);
    more.add(DATA.rows().key(1));

    assertThat(KeyLists.fault(ASKED, rows(ASKED.subList(0, 2))))
        .isEqualTo(RequestFailure.SHORT_READ);
    assertThat(KeyLists.fault(ASKED, rows(twice))).isEqualTo(RequestFailure.WRONG_ROWS);
    assertThat(KeyLists.fault(ASKED, rows(more))).isEqualTo(RequestFailure.WRONG_ROWS);
  }

  @Test
  void a_row_of_a_list_must_be_unchanged() {
    List<SeenRow> seen = new ArrayList<>(rows(ASKED));
    seen.set(1, new SeenRow(ASKED.get(1), false));

    assertThat(KeyLists.fault(ASKED, seen)).isEqualTo(RequestFailure.WRONG_ROWS);
  }

  @Test
  void a_scan_has_every_row_in_ring_order() {
    List<ByteBuffer> all =
        new ArrayList<>(IntStream.range(0, 50).mapToObj(DATA.rows()::key).toList());

    assertThat(Tables.failure(DATA.rows(), ScanRange.whole(), rows(all))).isNull();
    assertThat(Tables.failure(DATA.rows(), ScanRange.whole(), rows(all.subList(0, 49))))
        .isEqualTo(RequestFailure.SHORT_READ);
    Collections.swap(all, 3, 4);
    assertThat(Tables.failure(DATA.rows(), ScanRange.whole(), rows(all)))
        .isEqualTo(RequestFailure.WRONG_ROWS);
  }

  private static List<Partitions.Cell> cells(int partition, int rows) {
    List<Partitions.Cell> cells = new ArrayList<>();
    for (int place = 0; place < rows; place++) {
      cells.add(new Partitions.Cell(place, Partitions.value(partition, place)));
    }
    return cells;
  }

  @Test
  void a_partition_has_all_its_rows_in_order() {
    List<Partitions.Cell> seen = cells(4, 100);

    assertThat(Partitions.fault(4, 100, seen)).isNull();
    assertThat(Partitions.fault(4, 101, seen)).isEqualTo(RequestFailure.SHORT_READ);
    assertThat(Partitions.fault(4, 99, seen)).isEqualTo(RequestFailure.WRONG_ROWS);
    Collections.swap(seen, 10, 11);
    assertThat(Partitions.fault(4, 100, seen)).isEqualTo(RequestFailure.WRONG_ROWS);
  }

  @Test
  void the_rows_of_another_partition_are_wrong() {
    assertThat(Partitions.fault(4, 100, cells(5, 100))).isEqualTo(RequestFailure.WRONG_ROWS);
    assertThat(Partitions.fault(4, 1, List.of(new Partitions.Cell(0, null))))
        .isEqualTo(RequestFailure.WRONG_ROWS);
  }

  @Test
  void the_values_of_all_rows_differ() {
    HashSet<ByteBuffer> values = new HashSet<>();
    for (int partition = 0; partition < 20; partition++) {
      for (int place = 0; place < 100; place++) {
        values.add(Partitions.value(partition, place));
      }
    }
    assertThat(values).hasSize(2000);
  }

  @Test
  void one_partition_is_large_and_the_others_are_alike() {
    Partitions.Shape shape = new Partitions.Shape("ks", 5000);

    assertThat(shape.rows(0)).isEqualTo(5000);
    assertThat(IntStream.range(1, Partitions.PARTITIONS).map(shape::rows)).containsOnly(100);
    assertThat(shape.allRows()).isEqualTo(5000 + 99 * 100);
    assertThatThrownBy(() -> new Partitions.Shape("ks", 99)).hasMessageContaining("at least 100");
  }

  @Test
  void other_tables_of_the_cluster_have_rows_of_their_own() {
    Data small = DATA.elsewhere("other", 20, 10);

    assertThat(small.keyspace()).isEqualTo("other");
    assertThat(small.tables()).isEqualTo(20);
    assertThat(small.rows().size()).isEqualTo(10);
    assertThat(small.table(19)).isEqualTo("other.t19");
  }
}
