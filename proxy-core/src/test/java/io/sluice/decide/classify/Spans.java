package io.sluice.decide.classify;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All spans of a SELECT. */
final class Spans {

  private Spans() {}

  static List<Span> of(Select select) {
    List<Span> spans = new ArrayList<>();
    spans.add(select.span());
    spans.add(select.projection().span());
    spans.add(select.from().span());
    spans.add(select.where().span());
    select.projection().selectors().forEach(s -> add(s.value(), spans));
    select.where().restrictions().forEach(r -> r.values().forEach(v -> add(v, spans)));
    select.groupBy().forEach(g -> add(g, spans));
    add(select.limits().rows(), spans);
    add(select.limits().perPartition(), spans);
    return spans;
  }

  private static void add(@Nullable Expression expression, List<Span> spans) {
    if (expression != null) {
      spans.add(expression.span());
      expression.parts().forEach(p -> add(p, spans));
    }
  }
}
