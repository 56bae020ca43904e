package io.sluice.watch;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import io.sluice.wire.SchemaChange;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the schema changes that no event reported, because the control connection was moving from
 * one node to another. They are the difference of the schemas before and after. Not safe for
 * several threads.
 */
final class SchemaGap {

  private @Nullable Object channel;
  private Map<CqlIdentifier, KeyspaceMetadata> reported;
  private @Nullable Object readOver;
  private Map<CqlIdentifier, KeyspaceMetadata> read;

  /**
   * Starts with a schema that clients know already.
   *
   * @param channel the control connection's channel, compared by identity
   */
  SchemaGap(@Nullable Object channel, Map<CqlIdentifier, KeyspaceMetadata> schema) {
    this.channel = channel;
    this.readOver = channel;
    this.reported = schema;
    this.read = schema;
  }

  /** Whether events may have been missed, because the control connection has another channel. */
  boolean isOpen(@Nullable Object now) {
    return now != channel;
  }

  /**
   * Takes over the current schema unless a gap is open. As long as events report each change, no
   * older schema is kept.
   *
   * @param now the channel, read after the schema
   */
  void follow(@Nullable Object now, Map<CqlIdentifier, KeyspaceMetadata> schema) {
    if (!isOpen(now) && !isOpen(readOver)) {
      reported = schema;
      read = schema;
    }
  }

  /** Takes over a schema that was read entirely after {@code over} became the channel. */
  void read(@Nullable Object over, Map<CqlIdentifier, KeyspaceMetadata> schema) {
    readOver = over;
    read = schema;
  }

  /** Closes the gap and returns the changes that no event reported, each once. */
  List<SchemaChange> close() {
    List<SchemaChange> missed =
        isOpen(readOver) ? SchemaDifferences.between(reported, read) : List.of();
    channel = readOver;
    reported = read;
    return missed;
  }
}
