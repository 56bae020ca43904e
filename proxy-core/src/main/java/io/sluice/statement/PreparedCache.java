package io.sluice.statement;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.sluice.decide.classify.Classified;
import io.sluice.execute.dispatch.PreparedTexts;
import io.sluice.execute.dispatch.PreparedTexts.PreparedText;
import io.sluice.ring.Catalog;
import io.sluice.wire.PreparedId;
import io.sluice.wire.StatementMetadata;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cache of the statements that clients have prepared, and of those that Sluice has prepared for
 * their pieces. The next EXECUTE of an evicted statement is answered UNPREPARED, so that the driver
 * prepares it again. Safe for any thread.
 *
 * <p>On v3 and v4, a driver learns only from UNPREPARED that the columns of a statement have
 * changed. After a change, each connection that skips metadata is answered UNPREPARED until that
 * connection has been sent the new columns.
 */
public final class PreparedCache implements PreparedTexts {

  /** The most entries about connections that know changed columns, and about evicted statements. */
  private static final int MAX_REMEMBERED = 1 << 16;

  /** The size of an entry besides the text and its classification. */
  private static final int ENTRY_BYTES = 1024;

  /** Covers the text and the texts of its pieces, also where its classification is small. */
  private static final int MIN_BYTES_PER_CHARACTER = 6;

  private final long maxEntryBytes;
  private final Cache<PreparedId, Prepared> byId;
  private final Cache<PreparedId, PreparedText> piecesById;
  private final Cache<PreparedText, PreparedId> pieceIds;
  private final Cache<Listener, StatementMetadata> changesSent =
      Caffeine.newBuilder().maximumSize(MAX_REMEMBERED).build();
  private final Cache<Listener, Doubt> doubts =
      Caffeine.newBuilder().maximumSize(MAX_REMEMBERED).build();
  private final Cache<PreparedId, Boolean> evicted =
      Caffeine.newBuilder().maximumSize(MAX_REMEMBERED).build();
  private volatile Schema latest = new Schema(Catalog.EMPTY, 0);

  /**
   * The cached facts of a client's statement.
   *
   * @param text the prepared text
   * @param schema the number of the schema by which it was classified
   * @param read the classified statement
   * @param sent the metadata that clients were sent
   */
  record Prepared(PreparedText text, long schema, TextReader.Understood read, SentMetadata sent) {

    private long bytes() {
      return entryBytes(text, read.classified().heapBytes());
    }

    /**
     * Returns the metadata that clients of this version were sent last; null when none was sent.
     */
    @Nullable StatementMetadata latest(int version) {
      SentMetadata.Sent latest = sent.get(version);
      return latest == null ? null : latest.metadata();
    }
  }

  /** A schema with its number. Only the latest is kept. */
  private record Schema(Catalog catalog, long number) {}

  /** One connection and one statement. */
  private record Listener(long client, PreparedId id) {}

  /**
   * A connection whose rows had other columns than the connection was sent, without matching rows
   * since.
   *
   * @param sent the metadata that the connection was sent after that; null until it prepares again
   */
  private record Doubt(@Nullable StatementMetadata sent) {}

  /**
   * Creates an empty cache.
   *
   * @param size the most statements of clients, at least 1
   * @param bytes the approximate memory for all statements together
   */
  public PreparedCache(int size, long bytes) {
    // Half for clients' statements; their pieces' texts are counted twice in the other half.
    this.maxEntryBytes = bytes / 2;
    this.byId =
        bounded(size, bytes / 2)
            .<PreparedId, Prepared>weigher((id, each) -> weight(each.bytes(), size, bytes / 2))
            .evictionListener((id, each, cause) -> onEviction(id))
            .build();
    this.piecesById =
        bounded(size, bytes / 4)
            .<PreparedId, PreparedText>weigher(
                (id, text) -> weight(entryBytes(text, 0), size, bytes / 4))
            .build();
    this.pieceIds =
        bounded(size, bytes / 4)
            .<PreparedText, PreparedId>weigher(
                (text, id) -> weight(entryBytes(text, 0), size, bytes / 4))
            .build();
  }

  private static Caffeine<Object, Object> bounded(int size, long bytes) {
    return Caffeine.newBuilder().maximumWeight(Math.max(size, bytes)).executor(Runnable::run);
  }

  /**
   * Returns the bytes of an entry, at least {@code bytes / size}, so that the number of entries is
   * also bounded.
   */
  private static int weight(long entry, int size, long bytes) {
    long share = (Math.max(size, bytes) + size - 1) / size;
    return (int) Math.min(Integer.MAX_VALUE, Math.max(share, entry));
  }

  private static long entryBytes(PreparedText text, long classified) {
    long characters = text.cql().length();
    return ENTRY_BYTES
        + Math.max(MIN_BYTES_PER_CHARACTER * characters, 2 * characters + classified);
  }

  private void onEviction(@Nullable PreparedId id) {
    if (id != null) {
      evicted.put(id, true);
    }
  }

  /** Classifies a statement. */
  interface Reading {
    TextReader.Understood read(String cql, @Nullable String keyspace);
  }

  /**
   * Whether the statement fits into the cache. A client would prepare a larger one again and again.
   *
   * @param classified its classification
   */
  public boolean fits(PreparedText text, Classified classified) {
    return entryBytes(text, classified.heapBytes()) <= maxEntryBytes;
  }

  /** Returns the largest size of one statement in bytes. */
  public long maxEntryBytes() {
    return maxEntryBytes;
  }

  void remember(PreparedId id, PreparedText text, Catalog catalog, Reading reading) {
    put(id, text, catalog, reading);
  }

  /** Keeps the record of sent metadata, also if another thread puts the statement meanwhile. */
  private Prepared put(PreparedId id, PreparedText text, Catalog catalog, Reading reading) {
    TextReader.Understood read = reading.read(text.cql(), text.keyspace());
    long schema = number(catalog);
    return byId.asMap()
        .compute(
            id,
            (same, known) -> {
              SentMetadata sent =
                  known == null ? new SentMetadata(evicted.getIfPresent(id) != null) : known.sent();
              return new Prepared(text, schema, read, sent);
            });
  }

  private long number(Catalog catalog) {
    Schema known = latest;
    return known.catalog() == catalog ? known.number() : renumbered(catalog);
  }

  private synchronized long renumbered(Catalog catalog) {
    if (latest.catalog() != catalog) {
      latest = new Schema(catalog, latest.number() + 1);
    }
    return latest.number();
  }

  /** Records the metadata that a client is about to get for a statement that it has prepared. */
  void recordSent(PreparedId id, int version, long client, StatementMetadata metadata) {
    Prepared prepared = byId.getIfPresent(id);
    if (prepared != null && prepared.sent().recordSent(version, metadata).changed()) {
      Listener listener = new Listener(client, id);
      changesSent.put(listener, metadata);
      doubts.asMap().computeIfPresent(listener, (key, doubt) -> new Doubt(metadata));
    }
  }

  /** Returns the metadata that a client was sent for {@code prepared}; null when unknown. */
  @Nullable StatementMetadata sent(PreparedId id, Prepared prepared, int version, long client) {
    SentMetadata.Sent sent = prepared.sent().get(version);
    if (sent == null) {
      return null;
    }
    boolean knows = !sent.changed() || knowsChange(id, client, sent.metadata());
    return knows ? sent.metadata() : null;
  }

  private boolean knowsChange(PreparedId id, long client, StatementMetadata metadata) {
    return metadata.equals(changesSent.getIfPresent(new Listener(client, id)));
  }

  /** Whether {@code metadata} is still the latest that clients were sent. */
  boolean isCurrent(PreparedId id, int version, StatementMetadata metadata) {
    Prepared prepared = byId.getIfPresent(id);
    return prepared == null || metadata.equals(prepared.latest(version));
  }

  /**
   * Whether a connection was sent {@code metadata} after a mismatch, and no rows since have matched
   * it. This keeps nodes that disagree on the schema from making a driver prepare again and again.
   */
  boolean isUnconfirmed(PreparedId id, long client, StatementMetadata metadata) {
    Doubt doubt = doubts.getIfPresent(new Listener(client, id));
    return doubt != null && metadata.equals(doubt.sent());
  }

  /** Records that an answer does not match the metadata that clients were sent. */
  void doubt(PreparedId id, int version, long client) {
    Prepared prepared = byId.getIfPresent(id);
    if (prepared != null) {
      prepared.sent().doubt(version);
      doubts.put(new Listener(client, id), new Doubt(null));
    }
  }

  /** Records that an answer matches the metadata that a connection was sent. */
  void confirm(PreparedId id, int version, long client) {
    if (doubts.asMap().isEmpty()) {
      return;
    }
    Prepared prepared = byId.getIfPresent(id);
    SentMetadata.Sent sent = prepared == null ? null : prepared.sent().get(version);
    if (sent != null && sent.changed()) {
      doubts.invalidate(new Listener(client, id));
    }
  }

  @Override
  public boolean matchesSent(PreparedId id, int version, StatementMetadata now) {
    Prepared prepared = byId.getIfPresent(id);
    return prepared == null
        ? piecesById.getIfPresent(id) != null
        : prepared.sent().matches(version, now);
  }

  @Override
  public @Nullable PreparedText text(PreparedId id) {
    Prepared prepared = byId.getIfPresent(id);
    return prepared == null ? piecesById.getIfPresent(id) : prepared.text();
  }

  /** Returns a client's statement, classified again after each schema change; null if unknown. */
  @Nullable Prepared get(PreparedId id, Catalog catalog, Reading reading) {
    Prepared prepared = byId.getIfPresent(id);
    if (prepared == null || prepared.schema() == number(catalog)) {
      return prepared;
    }
    return put(id, prepared.text(), catalog, reading);
  }

  /** Returns the id of a piece's statement; null until a node has prepared it. */
  public @Nullable PreparedId pieceId(PreparedText text) {
    return pieceIds.getIfPresent(text);
  }

  /** Records that a node has prepared the statement of a piece. */
  public void rememberPiece(PreparedText text, PreparedId id) {
    piecesById.put(id, text);
    pieceIds.put(text, id);
  }

  /** Forgets the id of a piece's statement after a node has assigned another id. */
  public void forgetPiece(PreparedText text) {
    pieceIds.invalidate(text);
  }

  /** Returns the statements of clients, at most {@code most}. */
  public List<PreparedFacts> facts(int most) {
    return byId.asMap().entrySet().stream()
        .limit(most)
        .map(
            entry -> {
              PreparedText text = entry.getValue().text();
              long digest = entry.getValue().read().classified().digest();
              return new PreparedFacts(entry.getKey(), text.keyspace(), digest, text.cql());
            })
        .toList();
  }

  /** Returns the approximate number of clients' statements. */
  public long size() {
    return byId.estimatedSize();
  }

  /**
   * A prepared statement of clients.
   *
   * @param id its prepared id
   * @param keyspace the keyspace in which it was prepared; null for none
   * @param digest the digest of its text
   * @param cql its text as clients have sent it
   */
  public record PreparedFacts(PreparedId id, @Nullable String keyspace, long digest, String cql) {}
}
