package io.sluice.decide.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.classify.Classified;
import io.sluice.decide.classify.Classifier;
import io.sluice.decide.classify.Select;
import io.sluice.decide.plan.Splittable.Reason;
import io.sluice.decide.plan.Splittable.Whole;
import java.util.AbstractList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Tests statements with thousands of restrictions and markers, which any client may send. */
class LongStatementTest {

  private static String filter(int restrictions) {
    return "SELECT * FROM ks.t WHERE v = ?"
        + " AND v = ?".repeat(restrictions - 1)
        + " ALLOW FILTERING";
  }

  private static Classified classified(String cql) {
    return new Classifier().classify(cql, null, ThreeNodes.CATALOG, ThreeNodes.RING.partitioner());
  }

  private static Splittable split(String cql) {
    return StatementSplitter.split(
        cql, classified(cql), Objects.requireNonNull(ThreeNodes.CATALOG.table("ks", "t")));
  }

  /** A list that counts accesses to its elements. */
  private static final class Counting<E> extends AbstractList<E> {
    private final List<E> elements;
    private long accesses;

    Counting(List<E> elements) {
      this.elements = elements;
    }

    @Override
    public E get(int index) {
      accesses++;
      return elements.get(index);
    }

    @Override
    public int size() {
      return elements.size();
    }
  }

  /**
   * Returns how often markers and restrictions are accessed while the texts of a statement's pieces
   * are built.
   */
  private static long accesses(int restrictions) {
    String cql = filter(restrictions);
    Select read = Objects.requireNonNull(classified(cql).select());
    Counting<?> markers = new Counting<>(read.markers());
    Counting<?> where = new Counting<>(read.where().restrictions());
    @SuppressWarnings("unchecked")
    Select counted =
        new Select(
            read.span(),
            read.projection(),
            read.from(),
            new Select.Where(
                read.where().span(), (List<io.sluice.decide.classify.Restriction>) where),
            read.groupBy(),
            read.orderBy(),
            read.limits(),
            read.allowFiltering(),
            (List<io.sluice.decide.classify.Expression>) markers);
    SubStatements.made(cql, counted, List.of(), List.of("k"), "", true);
    return markers.accesses + where.accesses;
  }

  @Test
  void the_texts_of_pieces_take_one_pass_over_markers_and_restrictions() {
    assertThat(accesses(2_000)).isLessThanOrEqualTo(2 * accesses(1_000) + 100);
  }

  @Test
  void the_texts_of_pieces_have_all_markers_in_order() {
    String cql = filter(500);
    SplitStatement split = (SplitStatement) split(cql);
    List<SubStatement.Value> values = split.texts().between().values();
    assertThat(values).hasSize(502);
    for (int i = 0; i < 500; i++) {
      assertThat(values.get(i).marker()).isEqualTo(i);
    }
  }

  @Test
  void a_statement_beyond_a_bound_is_a_whole_read() {
    assertThat(split(filter(StatementSplitter.MAX_RESTRICTIONS)))
        .isInstanceOf(SplitStatement.class);
    assertThat(split(filter(StatementSplitter.MAX_RESTRICTIONS + 1)))
        .isEqualTo(new Whole(Reason.TOO_LONG));
    String comment = " /*" + "x".repeat(StatementSplitter.LONGEST_TEXT) + "*/";
    assertThat(split("SELECT * FROM ks.t")).isInstanceOf(SplitStatement.class);
    assertThat(split("SELECT * FROM ks.t" + comment)).isEqualTo(new Whole(Reason.TOO_LONG));
    String list = "SELECT * FROM ks.t WHERE v IN (?" + ",?".repeat(2_000) + ") ALLOW FILTERING";
    assertThat(split(list)).isEqualTo(new Whole(Reason.TOO_LONG));
  }

  @Test
  void the_kept_text_of_a_filter_is_bounded_and_still_distinguishes_filters() {
    String filter = "SELECT * FROM ks.t WHERE s = 'X' ALLOW FILTERING";
    String one = filter.replace("X", "a".repeat(50_000));
    String other = filter.replace("X", "a".repeat(49_999) + "b");
    assertThat(split(one).rows().text()).hasSizeLessThanOrEqualTo(ResultRows.LONGEST_TEXT);
    assertThat(split(one).rows()).isEqualTo(split(one).rows()).isNotEqualTo(split(other).rows());
    assertThat(split(filter).rows().text()).contains("'X'");
  }
}
