package io.sluice.console;

import io.sluice.decide.shadow.ShadowState;
import io.sluice.decide.shadow.ShadowState.Times;
import io.sluice.ring.Node;
import io.sluice.watch.ClusterView;
import io.sluice.wire.ColumnType;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The table {@code shadow}: what the scheduler would do, in the mode observe. Stateless. */
final class ShadowTable {

  private static final String ALL = "all";
  private static final double NANOS_PER_MILLI = 1e6;

  private ShadowTable() {}

  /** One class of reads, at one node or at all nodes. */
  record Fact(String node, ShadowState state) {}

  static final TableShape<Fact> SHADOW =
      TableShape.<Fact>named(
              "shadow",
              "in the mode observe: reads of the last minute as they are, and estimates of how they"
                  + " would be with the scheduler")
          .partition("node", ColumnType.VARCHAR, Fact::node)
          .clustering(
              "class",
              ColumnType.VARCHAR,
              fact -> fact.state().priorityClass().name().toLowerCase(Locale.ROOT))
          .column("estimated_p50_ms", ColumnType.DOUBLE, millis(s -> p50(s.would())))
          .column("estimated_p99_ms", ColumnType.DOUBLE, millis(s -> p99(s.would())))
          .column("estimated_queued", ColumnType.INT, fact -> fact.state().queued())
          .column("estimated_refused", ColumnType.BIGINT, fact -> fact.state().wouldRefuse())
          .column("estimated_slots", ColumnType.INT, fact -> fact.state().slots())
          .column("estimated_wait_p50_ms", ColumnType.DOUBLE, millis(s -> p50(s.waits())))
          .column("estimated_wait_p99_ms", ColumnType.DOUBLE, millis(s -> p99(s.waits())))
          .column("now_p50_ms", ColumnType.DOUBLE, millis(s -> p50(s.now())))
          .column("now_p99_ms", ColumnType.DOUBLE, millis(s -> p99(s.now())))
          .column("reads", ColumnType.BIGINT, fact -> fact.state().now().reads());

  private static @Nullable Long p50(Times times) {
    return times.reads() == 0 ? null : times.p50();
  }

  private static @Nullable Long p99(Times times) {
    return times.reads() == 0 ? null : times.p99();
  }

  private static Function<Fact, @Nullable Object> millis(
      Function<ShadowState, @Nullable Long> nanos) {
    return fact -> {
      Long value = nanos.apply(fact.state());
      return value == null ? null : value / NANOS_PER_MILLI;
    };
  }

  static List<Fact> rows(ClusterView view, List<ShadowState> states) {
    return states.stream().map(state -> new Fact(name(view, state), state)).toList();
  }

  private static String name(ClusterView view, ShadowState state) {
    if (state.node() == null) {
      return ALL;
    }
    Node node = view.ring().node(state.node());
    return node == null ? state.node().toString() : node.addressText();
  }
}
