package io.sluice.decide.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.classify.Classified;
import io.sluice.decide.classify.Classifier;
import io.sluice.decide.classify.Select;
import io.sluice.decide.classify.StatementShape;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that nested and chained statements of any depth are parsed and planned on a small stack.
 */
class DeepStatementTest {

  /** Half of the default stack size of a thread. */
  private static final long SMALL_STACK = 512 << 10;

  private static final long SEED = Long.getLong("sluice.fuzz.seed", 20261123L);

  /** Texts before and after an expression. Each adds a level of nesting. */
  private static final List<String[]> LEVELS =
      List.of(
          level("", " + v"),
          level("v - ", ""),
          level("", " * v"),
          level("", " -1"),
          level("- ", ""),
          level("", ".f"),
          level("", "[0]"),
          level("", "[1..2]"),
          level("l[", "]"),
          level("(", ")"),
          level("[", "]"),
          level("{", "}"),
          level("{1: ", "}"),
          level("{f: ", "}"),
          level("abs(", ")"),
          level("ks.f(v, ", ")"),
          level("sum(", ")"),
          level("token(", ")"),
          level("CAST(", " AS text)"),
          level("(int) ", ""),
          level("(frozen<list<int>>) (", ")"));

  private static String[] level(String before, String behind) {
    return new String[] {before, behind};
  }

  private static String nested(String[] level, int depth) {
    return level[0].repeat(depth) + "v" + level[1].repeat(depth);
  }

  private static List<String> statements(String expression) {
    return List.of(
        "SELECT " + expression + " FROM ks.t",
        "SELECT k, max(" + expression + ") FROM ks.t GROUP BY k",
        "SELECT * FROM ks.t WHERE v = " + expression + " ALLOW FILTERING",
        "SELECT * FROM ks.t WHERE k = " + expression,
        "SELECT * FROM ks.t WHERE token(k) > token(" + expression + ") LIMIT " + expression,
        "SELECT * FROM ks.t WHERE k IN (1, " + expression + ")",
        "SELECT k FROM ks.t ORDER BY v ANN OF " + expression,
        "INSERT INTO ks.t (k, v) VALUES (" + expression + ", 1)",
        "UPDATE ks.t SET v = " + expression + " WHERE k = 1 IF v = " + expression,
        "BEGIN BATCH DELETE " + expression + " FROM ks.t WHERE k = 1 APPLY BATCH");
  }

  private static Classified classified(String cql) {
    return new Classifier().classify(cql, null, ThreeNodes.CATALOG, ThreeNodes.RING.partitioner());
  }

  private static Select again(String cql) {
    return Objects.requireNonNull(classified(cql).select());
  }

  /**
   * Runs all code that visits a statement's tree before it is sent, and all methods of a record.
   */
  private static StatementShape use(String cql) {
    Classified read = classified(cql);
    read.routingKey(ThreeNodes.values("1"));
    read.startToken(ThreeNodes.values("1"));
    read.limit(ThreeNodes.values("1"));
    read.partitions(ThreeNodes.values("1"));
    Splittable split =
        StatementSplitter.split(
            cql, read, Objects.requireNonNull(ThreeNodes.CATALOG.table("ks", "t")));
    Select select = read.select();
    if (select != null) {
      assertThat(select).isEqualTo(again(cql)).hasSameHashCodeAs(again(cql));
      assertThat(select.toString()).isNotEmpty();
      assertThat(split.rows()).isEqualTo(split.rows());
    }
    return read.shape();
  }

  private static void onSmallStack(Runnable task) throws InterruptedException {
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread thread = new Thread(null, task, "small stack", SMALL_STACK);
    thread.setUncaughtExceptionHandler((t, e) -> thrown.set(e));
    thread.start();
    thread.join();
    assertThat(thrown.get()).isNull();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 49, 99, 100, 101, 1_000, 30_000})
  void no_nesting_of_any_depth_exhausts_the_stack(int depth) throws InterruptedException {
    onSmallStack(
        () -> {
          for (String[] level : LEVELS) {
            statements(nested(level, depth)).forEach(DeepStatementTest::use);
          }
        });
  }

  @Test
  void no_mixture_of_nestings_exhausts_the_stack() throws InterruptedException {
    Random random = new Random(SEED);
    onSmallStack(
        () -> {
          for (int round = 0; round < 300; round++) {
            StringBuilder mixed = new StringBuilder("v");
            int levels = 1 + random.nextInt(300);
            for (int i = 0; i < levels; i++) {
              String[] level = LEVELS.get(random.nextInt(LEVELS.size()));
              int times = random.nextInt(10) == 0 ? random.nextInt(120) : 1;
              for (int n = 0; n < times; n++) {
                mixed.insert(0, level[0]).append(level[1]);
              }
            }
            statements(mixed.toString()).forEach(DeepStatementTest::use);
          }
        });
  }

  @Test
  void a_statement_that_is_nested_too_deeply_is_not_understood() {
    String[] sum = level("", " + v");
    assertThat(use("SELECT " + nested(sum, 99) + " FROM ks.t"))
        .isEqualTo(StatementShape.RANGE_READ);
    assertThat(use("SELECT " + nested(sum, 101) + " FROM ks.t"))
        .isEqualTo(StatementShape.UNKNOWN_SELECT);
    String many = "SELECT v" + ", v + 1, v.f, v[0]".repeat(1_000) + " FROM ks.t";
    assertThat(use(many)).isEqualTo(StatementShape.RANGE_READ);
  }

  @Test
  void deep_types_and_conditions_are_bounded_too() throws InterruptedException {
    onSmallStack(
        () -> {
          for (int depth : List.of(50, 99, 101, 30_000)) {
            String type = "frozen<list<".repeat(depth) + "int" + ">>".repeat(depth);
            use("SELECT CAST(v AS " + type + ") FROM ks.t");
            use("SELECT (" + type + ") v FROM ks.t");
            String condition = "(".repeat(depth) + "v = 1" + ")".repeat(depth);
            use("SELECT * FROM ks.t WHERE " + condition + " ALLOW FILTERING");
            use("UPDATE ks.t SET v = 1 WHERE k = 1 IF " + condition);
            use("CREATE TABLE ks.u (k " + type + " PRIMARY KEY)");
          }
        });
  }
}
