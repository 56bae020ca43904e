package io.sluice.fleet;

import io.sluice.watch.FleetTables.FleetTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A table of rows with their write times: the write with the latest time wins. */
final class FakeFleetTable implements FleetTable {
  final Map<UUID, Row> rows = new HashMap<>();
  final Map<UUID, Long> times = new HashMap<>();
  final List<CompletableFuture<?>> held = new ArrayList<>();
  boolean hangs;
  @Nullable String fails;
  int asked;

  private <T> CompletionStage<T> answer(T value) {
    asked++;
    if (hangs) {
      CompletableFuture<T> never = new CompletableFuture<>();
      held.add(never);
      return never;
    }
    return fails == null
        ? CompletableFuture.completedFuture(value)
        : CompletableFuture.failedFuture(new IOException(fails));
  }

  private boolean isLast(UUID row, long micros) {
    Long before = times.put(row, Math.max(micros, times.getOrDefault(row, Long.MIN_VALUE)));
    return before == null || micros > before;
  }

  @Override
  public CompletionStage<List<Row>> read() {
    return answer(List.copyOf(rows.values()));
  }

  @Override
  public CompletionStage<?> write(Row own, long micros) {
    if (!hangs && fails == null && isLast(own.instance(), micros)) {
      rows.put(own.instance(), own);
    }
    return answer("");
  }
}
