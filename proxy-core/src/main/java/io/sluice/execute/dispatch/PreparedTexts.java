package io.sluice.execute.dispatch;

import io.sluice.wire.PreparedId;
import io.sluice.wire.StatementMetadata;
import org.jspecify.annotations.Nullable;

/** The texts of prepared statements, by id. Safe for any thread. */
public interface PreparedTexts {

  /** Returns the text of a prepared id; null when it is unknown or evicted. */
  @Nullable PreparedText text(PreparedId id);

  /**
   * Whether the metadata of a statement that a node has prepared again equals the metadata that
   * clients have. If it differs, or if that is unknown, clients must prepare the statement again
   * themselves.
   */
  boolean matchesSent(PreparedId id, int version, StatementMetadata now);

  /**
   * The text and the keyspace of a prepared statement.
   *
   * @param cql the text
   * @param keyspace the keyspace in which it was prepared, or null
   */
  record PreparedText(String cql, @Nullable String keyspace) {}
}
