package io.sluice.decide.predict;

import static io.sluice.decide.predict.Places.between;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.decide.classify.Classifier;
import io.sluice.decide.plan.ScatterPlanner;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.decide.predict.Densities.Received;
import io.sluice.decide.predict.TableDensity.Source;
import io.sluice.ring.Estimates;
import io.sluice.ring.Estimates.Counted;
import io.sluice.ring.Table;
import io.sluice.ring.Table.KeyColumn;
import io.sluice.ring.TableName;
import io.sluice.ring.TestPartitioner;
import io.sluice.ring.TokenRange;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Tests densities that one proxy has learned and another one receives. */
class SharedDensitiesTest {

  private static final KeyColumn K = new KeyColumn("k", "int");
  private static final KeyColumn C = new KeyColumn("c", "int");
  private static final String ALL = "SELECT k FROM ks.t";
  private static final String DISTINCT = "SELECT DISTINCT k FROM ks.t";
  private static final String FILTER = "SELECT k FROM ks.t WHERE v = 'secret' ALLOW FILTERING";

  private final ScatterPlanner planner =
      new ScatterPlanner(new SplitConfig(SplitConfig.Parallel.WAVES, 1_000, 0, 8, 1 << 20, false));
  private long now = TimeUnit.HOURS.toNanos(5);
  private final Densities first = densities();
  private final Densities second = densities();

  private Densities densities() {
    return new Densities((estimated, actual) -> {}, () -> now);
  }

  private static Table table(String name) {
    return new Table(
        "ks", name, List.of(K), List.of(C), Map.of("k", "int", "c", "int", "v", "text"), false);
  }

  private TableDensity of(Densities known, String cql) {
    return of(known, cql, "t");
  }

  private TableDensity of(Densities known, String cql, String name) {
    Table table = table(name);
    var statement =
        new Classifier().classify(cql, null, (keyspace, each) -> table, TestPartitioner.ANY);
    return known.of(table, planner.splittable(cql, statement, table));
  }

  private static ByteBuffer learned(Densities by) {
    return Objects.requireNonNull(by.learned());
  }

  private void tell(Densities from, Densities to, long ageSeconds) {
    to.adopt(List.of(new Received(ageSeconds, learned(from))));
  }

  private double rows(Densities known) {
    return of(known, ALL).rows(TokenRange.ALL);
  }

  private static Offset<Double> percent(double percent, double of) {
    return within(percent * of / 100);
  }

  private static Estimates counted(long partitions) {
    return new Estimates(
        Map.of(new TableName("ks", "t"), List.of(new Counted(TokenRange.ALL, partitions, 10))));
  }

  @Test
  void a_proxy_without_reads_uses_the_densities_of_another_proxy() {
    of(first, ALL).learn(between(0, 0.5), 9_000, 900_000);
    of(first, ALL).learn(between(0.5, 1), 1_000, 100_000);
    of(first, DISTINCT).learn(TokenRange.ALL, 50, 500);
    now += TimeUnit.SECONDS.toNanos(20);
    tell(first, second, 100);

    TableDensity all = of(second, ALL);
    assertThat(all.rows(between(0, 0.5))).isCloseTo(9_000, percent(1, 9_000));
    assertThat(all.rows(between(0.5, 1))).isCloseTo(1_000, percent(1, 1_000));
    assertThat(all.bytesPerRow()).isCloseTo(100, percent(1, 100));
    assertThat(all.largeRowBytes()).isCloseTo(100, percent(1, 100));
    assertThat(all.origin().source()).isEqualTo(Source.PROXIES);
    assertThat(all.origin().ageNanos()).isEqualTo(TimeUnit.SECONDS.toNanos(120));
    assertThat(of(second, DISTINCT).rows(TokenRange.ALL)).isCloseTo(50, percent(1, 50));
  }

  @Test
  void received_densities_apply_to_a_table_until_it_has_own_answers() {
    TableDensity early = of(second, ALL);
    assertThat(early.known()).isFalse();
    of(first, ALL).learn(TokenRange.ALL, 500, 5_000);
    tell(first, second, 0);
    assertThat(early.rows(TokenRange.ALL)).isCloseTo(500, percent(1, 500));

    early.learn(TokenRange.ALL, 800, 8_000);
    tell(first, second, 0);
    assertThat(early.rows(TokenRange.ALL)).isCloseTo(800, percent(1, 800));
    assertThat(early.origin().source()).isEqualTo(Source.ANSWERS);
  }

  @Test
  void own_answers_correct_received_densities() {
    of(first, ALL).learn(TokenRange.ALL, 100_000, 1_000_000);
    tell(first, second, 0);
    of(second, ALL).learn(between(0, 0.5), 50, 500);

    assertThat(of(second, ALL).rows(between(0, 0.5))).isCloseTo(50, percent(5, 50));
    assertThat(of(second, ALL).rows(between(0.5, 1))).isCloseTo(50_000, percent(1, 50_000));
  }

  @Test
  void received_densities_grow_with_the_counts_of_nodes() {
    first.published(counted(1_000));
    of(first, ALL).learn(TokenRange.ALL, 3_000, 30_000);
    tell(first, second, 0);
    second.published(counted(1_500));

    assertThat(rows(second)).isCloseTo(4_500, percent(1, 4_500));
  }

  @Test
  void the_newest_of_several_received_densities_counts_and_none_counts_twice() {
    of(first, ALL).learn(TokenRange.ALL, 10_000, 10_000);
    Densities third = densities();
    of(third, ALL).learn(between(0, 0.5), 1_000, 1_000);
    second.adopt(List.of(new Received(900, learned(first)), new Received(10, learned(third))));
    assertThat(rows(second)).isCloseTo(6_000, percent(1, 6_000));

    Densities fourth = densities();
    fourth.adopt(
        List.of(
            new Received(1, learned(second)),
            new Received(1, learned(second)),
            new Received(901, learned(first))));
    assertThat(rows(fourth)).isCloseTo(6_000, percent(1, 6_000));
  }

  @Test
  void received_densities_are_passed_on_with_their_age() {
    of(first, ALL).learn(TokenRange.ALL, 10_000, 10_000);
    tell(first, second, 70);
    assertThat(second.learned()).as("no client has read a table").isNull();
    of(second, ALL);
    Densities third = densities();
    tell(second, third, 30);

    assertThat(rows(third)).isCloseTo(10_000, percent(1, 10_000));
    assertThat(of(third, ALL).origin().ageNanos()).isEqualTo(TimeUnit.SECONDS.toNanos(100));
  }

  @Test
  void the_text_of_a_filter_is_not_shared() {
    of(first, FILTER).learn(TokenRange.ALL, 7, 70);
    assertThat(first.learned()).isNull();
    of(first, ALL).learn(TokenRange.ALL, 7, 70);
    assertThat(new String(bytes(learned(first)), StandardCharsets.UTF_8)).doesNotContain("secret");
  }

  @Test
  void the_most_recently_read_tables_are_shared_within_a_bound_of_bytes() {
    for (int i = 0; i < 1_000; i++) {
      of(first, "SELECT k FROM ks.t" + i, "t" + i).learn(TokenRange.ALL, 100 + i, 1_000);
      now += TimeUnit.SECONDS.toNanos(1);
    }
    ByteBuffer learned = learned(first);
    assertThat(learned.remaining()).isLessThanOrEqualTo(LearnedFormat.MAX_BYTES);
    List<LearnedFormat.Entry> told = LearnedFormat.read(learned);
    assertThat(told).hasSizeGreaterThan(60);
    assertThat(told.get(0).table().name()).isEqualTo("t999");
    assertThat(told.get(told.size() - 1).table().name()).isEqualTo("t" + (1_000 - told.size()));
  }

  @Test
  void an_unknown_format_is_ignored() {
    of(first, ALL).learn(TokenRange.ALL, 500, 5_000);
    byte[] other = bytes(learned(first));
    other[0] = LearnedFormat.FORMAT + 1;
    second.adopt(
        List.of(new Received(0, ByteBuffer.wrap(other)), new Received(0, ByteBuffer.allocate(0))));
    assertThat(of(second, ALL).known()).isFalse();
  }

  @Test
  void invalid_bytes_do_no_harm() {
    of(first, ALL).learn(TokenRange.ALL, 500, 5_000);
    byte[] good = bytes(learned(first));
    Random random = new Random(7);
    for (int i = 0; i < 2_000; i++) {
      byte[] bad = Arrays.copyOf(good, random.nextInt(good.length + 1));
      for (int k = 0; k < 4 && bad.length > 1; k++) {
        bad[1 + random.nextInt(bad.length - 1)] = (byte) random.nextInt();
      }
      Densities any = densities();
      any.adopt(List.of(new Received(random.nextInt(100), ByteBuffer.wrap(bad))));
      double rows = rows(any);
      assertThat(rows).isBetween(0.0, Double.MAX_VALUE);
      assertThat(of(any, ALL).bytesPerRow()).isBetween(0.0, Double.MAX_VALUE);
    }
  }

  private static byte[] bytes(ByteBuffer from) {
    byte[] bytes = new byte[from.remaining()];
    from.duplicate().get(bytes);
    return bytes;
  }
}
