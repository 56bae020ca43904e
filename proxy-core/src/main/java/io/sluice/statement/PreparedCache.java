package io.sluice.statement;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.sluice.execute.dispatch.PreparedText;
import io.sluice.execute.dispatch.PreparedTexts;
import io.sluice.ring.Catalog;
import io.sluice.wire.PreparedId;
import org.jspecify.annotations.Nullable;

/**
 * The prepared statements that clients may execute, and those that Sluice prepared for the parts of
 * them. A client's statement that fell out is unknown to its next EXECUTE, which makes the driver
 * prepare it again. Safe for any thread.
 */
public final class PreparedCache implements PreparedTexts {

  private final Cache<PreparedId, Prepared> byId;
  private final Cache<PreparedId, PreparedText> partsById;
  private final Cache<PreparedText, PreparedId> partIds;

  /**
   * What is known of a client's statement.
   *
   * @param text what it prepared
   * @param seen the schema it was read with
   * @param read what was made of it
   */
  record Prepared(PreparedText text, Catalog seen, StatementReader.Understood read) {}

  public PreparedCache(int size) {
    this.byId = Caffeine.newBuilder().maximumSize(size).build();
    this.partsById = Caffeine.newBuilder().maximumSize(size).build();
    this.partIds = Caffeine.newBuilder().maximumSize(size).build();
  }

  /** Reads a statement. */
  interface Reading {
    StatementReader.Understood read(String cql, @Nullable String keyspace);
  }

  void remember(PreparedId id, PreparedText text, Catalog catalog, Reading reading) {
    byId.put(id, new Prepared(text, catalog, reading.read(text.cql(), text.keyspace())));
  }

  @Override
  public @Nullable PreparedText text(PreparedId id) {
    Prepared prepared = byId.getIfPresent(id);
    return prepared == null ? partsById.getIfPresent(id) : prepared.text();
  }

  /** A client's statement, looked at again whenever the schema has changed; null if unknown. */
  @Nullable Prepared get(PreparedId id, Catalog catalog, Reading reading) {
    Prepared prepared = byId.getIfPresent(id);
    if (prepared == null) {
      return null;
    }
    if (prepared.seen() != catalog) {
      remember(id, prepared.text(), catalog, reading);
      prepared = byId.getIfPresent(id);
    }
    return prepared;
  }

  /** The id of a part's statement; null until a node has told it. */
  public @Nullable PreparedId partId(PreparedText text) {
    return partIds.getIfPresent(text);
  }

  /** A node prepared the statement of a part. */
  public void rememberPart(PreparedText text, PreparedId id) {
    partsById.put(id, text);
    partIds.put(text, id);
  }

  /** A node says that the statement of a part has another id by now. */
  public void forgetPart(PreparedText text) {
    partIds.invalidate(text);
  }

  /** Statements that are remembered. */
  public long size() {
    return byId.estimatedSize();
  }
}
