package io.sluice.statement;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.sluice.execute.dispatch.PreparedText;
import io.sluice.execute.dispatch.PreparedTexts;
import io.sluice.ring.Catalog;
import io.sluice.wire.PreparedId;
import io.sluice.wire.StatementMetadata;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The prepared statements that clients may execute, and those that Sluice prepared for their
 * pieces. A client's statement that fell out is unknown to its next EXECUTE, so that the driver
 * prepares it again. Safe for any thread.
 *
 * <p>On v3 and v4 a driver learns only from UNPREPARED that the columns of a statement have
 * changed. Once they have, each connection that skips metadata is answered UNPREPARED until it has
 * been told the new ones, whichever other client was told them before.
 */
public final class PreparedCache implements PreparedTexts {

  /** Connections that were told what has changed, and statements that fell out, remembered. */
  private static final int REMEMBERED = 1 << 16;

  /** What is kept of a statement besides its text. */
  private static final int ENTRY_BYTES = 1024;

  /** The text, its spans, and the texts of its pieces. */
  private static final int BYTES_A_CHARACTER = 6;

  private final long maxEntryBytes;
  private final Cache<PreparedId, Prepared> byId;
  private final Cache<PreparedId, PreparedText> piecesById;
  private final Cache<PreparedText, PreparedId> pieceIds;
  private final Cache<Listener, StatementMetadata> toldSince =
      Caffeine.newBuilder().maximumSize(REMEMBERED).build();
  private final Cache<Listener, Doubt> doubts =
      Caffeine.newBuilder().maximumSize(REMEMBERED).build();
  private final Cache<PreparedId, Boolean> fallenOut =
      Caffeine.newBuilder().maximumSize(REMEMBERED).build();
  private volatile Schema latest = new Schema(Catalog.EMPTY, 0);

  /**
   * What is known of a client's statement.
   *
   * @param text what it prepared
   * @param schema the number of the schema it was read with
   * @param read what was made of it
   * @param told what clients were told of it
   */
  record Prepared(
      PreparedText text, long schema, StatementReader.Understood read, ToldMetadata told) {

    /** What clients of this version were told last; null when none was. */
    @Nullable StatementMetadata latest(int version) {
      ToldMetadata.Told latest = told.get(version);
      return latest == null ? null : latest.metadata();
    }
  }

  /** A schema and its number: only the latest is kept. */
  private record Schema(Catalog catalog, long number) {}

  /** One connection and one statement. */
  private record Listener(long client, PreparedId id) {}

  /**
   * A connection's rows had other columns than it was told, and none since had those.
   *
   * @param told what it was told then; null until it prepares again
   */
  private record Doubt(@Nullable StatementMetadata told) {}

  /**
   * Holds nothing yet.
   *
   * @param size statements of clients, at least 1
   * @param bytes memory for all statements together, about
   */
  public PreparedCache(int size, long bytes) {
    // Half for clients' statements; their pieces' texts are counted twice in the other half.
    this.maxEntryBytes = bytes / 2;
    this.byId =
        bounded(size, bytes / 2)
            .<PreparedId, Prepared>weigher((id, each) -> weight(each.text(), size, bytes / 2))
            .evictionListener((id, each, cause) -> fellOut(id))
            .build();
    this.piecesById =
        bounded(size, bytes / 4)
            .<PreparedId, PreparedText>weigher((id, text) -> weight(text, size, bytes / 4))
            .build();
    this.pieceIds =
        bounded(size, bytes / 4)
            .<PreparedText, PreparedId>weigher((text, id) -> weight(text, size, bytes / 4))
            .build();
  }

  private static Caffeine<Object, Object> bounded(int size, long bytes) {
    return Caffeine.newBuilder().maximumWeight(Math.max(size, bytes)).executor(Runnable::run);
  }

  /** The bytes of an entry; at least its share, so that their number is bounded, too. */
  private static int weight(PreparedText text, int size, long bytes) {
    long share = (Math.max(size, bytes) + size - 1) / size;
    return (int) Math.min(Integer.MAX_VALUE, Math.max(share, entryBytes(text)));
  }

  private static long entryBytes(PreparedText text) {
    return ENTRY_BYTES + (long) BYTES_A_CHARACTER * text.cql().length();
  }

  private void fellOut(@Nullable PreparedId id) {
    if (id != null) {
      fallenOut.put(id, true);
    }
  }

  /** Reads a statement. */
  interface Reading {
    StatementReader.Understood read(String cql, @Nullable String keyspace);
  }

  /** Whether the statement can be kept: one that never can would be prepared for ever. */
  public boolean fits(PreparedText text) {
    return entryBytes(text) <= maxEntryBytes;
  }

  /** The most bytes that one statement may take. */
  public long maxEntryBytes() {
    return maxEntryBytes;
  }

  void remember(PreparedId id, PreparedText text, Catalog catalog, Reading reading) {
    Prepared before = byId.getIfPresent(id);
    ToldMetadata told =
        before == null ? new ToldMetadata(fallenOut.getIfPresent(id) != null) : before.told();
    put(id, text, catalog, reading, told);
  }

  private Prepared put(
      PreparedId id, PreparedText text, Catalog catalog, Reading reading, ToldMetadata told) {
    StatementReader.Understood read = reading.read(text.cql(), text.keyspace());
    Prepared prepared = new Prepared(text, number(catalog), read, told);
    byId.put(id, prepared);
    return prepared;
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

  /** A client is about to be told this of a statement that it prepared. */
  void tell(PreparedId id, int version, long client, StatementMetadata metadata) {
    Prepared prepared = byId.getIfPresent(id);
    if (prepared != null && prepared.told().tell(version, metadata).changed()) {
      Listener listener = new Listener(client, id);
      toldSince.put(listener, metadata);
      doubts.asMap().computeIfPresent(listener, (key, doubt) -> new Doubt(metadata));
    }
  }

  /** What a client was told of {@code prepared}; null when that is not known. */
  @Nullable StatementMetadata told(PreparedId id, Prepared prepared, int version, long client) {
    ToldMetadata.Told told = prepared.told().get(version);
    if (told == null) {
      return null;
    }
    boolean knows = !told.changed() || knowsChange(id, client, told.metadata());
    return knows ? told.metadata() : null;
  }

  private boolean knowsChange(PreparedId id, long client, StatementMetadata metadata) {
    return metadata.equals(toldSince.getIfPresent(new Listener(client, id)));
  }

  /** Whether nothing else has been told since a client was told {@code metadata}. */
  boolean isCurrent(PreparedId id, int version, StatementMetadata metadata) {
    Prepared prepared = byId.getIfPresent(id);
    return prepared == null || metadata.equals(prepared.latest(version));
  }

  /**
   * Whether a connection was told {@code metadata} because its rows had other columns, and no rows
   * since had these: nodes that disagree on the schema do not make it prepare for ever.
   */
  boolean wasToldInVain(PreparedId id, long client, StatementMetadata metadata) {
    Doubt doubt = doubts.getIfPresent(new Listener(client, id));
    return doubt != null && metadata.equals(doubt.told());
  }

  /** An answer shows that what clients were told is out of date. */
  void doubt(PreparedId id, int version, long client) {
    Prepared prepared = byId.getIfPresent(id);
    if (prepared != null) {
      prepared.told().doubt(version);
      doubts.put(new Listener(client, id), new Doubt(null));
    }
  }

  /** An answer has the columns that a connection was told. */
  void confirm(PreparedId id, int version, long client) {
    Prepared prepared = byId.getIfPresent(id);
    ToldMetadata.Told told = prepared == null ? null : prepared.told().get(version);
    if (told != null && told.changed()) {
      doubts.invalidate(new Listener(client, id));
    }
  }

  @Override
  public boolean isAsTold(PreparedId id, int version, StatementMetadata now) {
    Prepared prepared = byId.getIfPresent(id);
    return prepared == null
        ? piecesById.getIfPresent(id) != null
        : prepared.told().matches(version, now);
  }

  @Override
  public @Nullable PreparedText text(PreparedId id) {
    Prepared prepared = byId.getIfPresent(id);
    return prepared == null ? piecesById.getIfPresent(id) : prepared.text();
  }

  /** A client's statement, looked at again whenever the schema has changed; null if unknown. */
  @Nullable Prepared get(PreparedId id, Catalog catalog, Reading reading) {
    Prepared prepared = byId.getIfPresent(id);
    if (prepared == null || prepared.schema() == number(catalog)) {
      return prepared;
    }
    return put(id, prepared.text(), catalog, reading, prepared.told());
  }

  /** The id of a piece's statement; null until a node has told it. */
  public @Nullable PreparedId pieceId(PreparedText text) {
    return pieceIds.getIfPresent(text);
  }

  /** A node prepared the statement of a piece. */
  public void rememberPiece(PreparedText text, PreparedId id) {
    piecesById.put(id, text);
    pieceIds.put(text, id);
  }

  /** A node says that the statement of a piece has another id by now. */
  public void forgetPiece(PreparedText text) {
    pieceIds.invalidate(text);
  }

  /** The statements of clients, at most so many. */
  public List<PreparedFacts> facts(int most) {
    return byId.asMap().entrySet().stream()
        .limit(most)
        .map(
            entry -> {
              PreparedText text = entry.getValue().text();
              long digest = entry.getValue().read().shape().digest();
              return new PreparedFacts(entry.getKey(), text.keyspace(), digest, text.cql());
            })
        .toList();
  }

  /** Statements that are remembered. */
  public long size() {
    return byId.estimatedSize();
  }
}
