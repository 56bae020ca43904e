package io.sluice.decide.schedule;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

/**
 * The costs of each table, by its name. Names come from clients, so memory is bounded by their
 * length: of what was used least lately the costs are forgotten, and learned anew. Safe for any
 * thread.
 */
final class CostsByTable {

  /** Bytes of names and costs that are kept: those of some ten thousand tables. */
  static final long MOST_BYTES = 24L << 20;

  /** The size of a table's costs, about. */
  private static final int COSTS_BYTES = 600;

  private final Cache<String, TableCosts> costs =
      Caffeine.newBuilder()
          .maximumWeight(MOST_BYTES)
          .weigher((String name, TableCosts table) -> COSTS_BYTES + 2 * name.length())
          .executor(Runnable::run)
          .build();

  TableCosts of(String name) {
    return costs.get(name, each -> new TableCosts());
  }

  /** Bytes that are held, about. */
  long bytes() {
    return costs.policy().eviction().orElseThrow().weightedSize().orElse(0);
  }
}
