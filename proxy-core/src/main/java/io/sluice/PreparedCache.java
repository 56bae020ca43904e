package io.sluice;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.sluice.decide.classify.Classified;
import io.sluice.execute.dispatch.PreparedText;
import io.sluice.execute.dispatch.PreparedTexts;
import io.sluice.ring.Catalog;
import io.sluice.wire.PreparedId;
import org.jspecify.annotations.Nullable;

/**
 * The prepared statements that clients may execute. A statement that fell out is unknown to its
 * client's next EXECUTE, which makes the driver prepare it again. Safe for any thread.
 */
final class PreparedCache implements PreparedTexts {

  private final Cache<PreparedId, Prepared> byId;

  /** What is known of one. */
  private record Prepared(PreparedText text, Catalog seen, Classified shape) {}

  PreparedCache(int size) {
    this.byId = Caffeine.newBuilder().maximumSize(size).build();
  }

  /** Classifies a statement. */
  interface Reading {
    Classified classify(String cql, @Nullable String keyspace);
  }

  void remember(PreparedId id, PreparedText text, Catalog catalog, Reading reading) {
    byId.put(id, new Prepared(text, catalog, reading.classify(text.cql(), text.keyspace())));
  }

  @Override
  public @Nullable PreparedText text(PreparedId id) {
    Prepared prepared = byId.getIfPresent(id);
    return prepared == null ? null : prepared.text();
  }

  /** What the statement is, looked at again whenever the schema has changed; null if unknown. */
  @Nullable Classified shape(PreparedId id, Catalog catalog, Reading reading) {
    Prepared prepared = byId.getIfPresent(id);
    if (prepared == null) {
      return null;
    }
    if (prepared.seen() != catalog) {
      remember(id, prepared.text(), catalog, reading);
      prepared = byId.getIfPresent(id);
    }
    return prepared == null ? null : prepared.shape();
  }

  long size() {
    return byId.estimatedSize();
  }
}
