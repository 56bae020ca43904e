package io.sluice.watch;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import io.sluice.wire.SchemaChange;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the schema changes that no event told of because the control connection was moving from one
 * node to another: the difference of the schemas before and after. Not safe for several threads.
 */
final class SchemaGap {

  private @Nullable Object channel;
  private Map<CqlIdentifier, KeyspaceMetadata> told;
  private @Nullable Object readOver;
  private Map<CqlIdentifier, KeyspaceMetadata> read;

  /**
   * Begins with a schema of which clients need not be told.
   *
   * @param channel the control connection's channel, known by identity
   */
  SchemaGap(@Nullable Object channel, Map<CqlIdentifier, KeyspaceMetadata> schema) {
    this.channel = channel;
    this.readOver = channel;
    this.told = schema;
    this.read = schema;
  }

  /** Whether events may have been missed, since the control connection has another channel. */
  boolean isOpen(@Nullable Object now) {
    return now != channel;
  }

  /**
   * The schema as it is known now; no older one is kept while events tell of each change.
   *
   * @param now the channel, asked for after the schema
   */
  void follow(@Nullable Object now, Map<CqlIdentifier, KeyspaceMetadata> schema) {
    if (!isOpen(now) && !isOpen(readOver)) {
      told = schema;
      read = schema;
    }
  }

  /** The schema was read, all of it after {@code over} had become the channel. */
  void read(@Nullable Object over, Map<CqlIdentifier, KeyspaceMetadata> schema) {
    readOver = over;
    read = schema;
  }

  /** The changes that no event told of; each is returned once. */
  List<SchemaChange> close() {
    List<SchemaChange> missed =
        isOpen(readOver) ? SchemaDifferences.between(told, read) : List.of();
    channel = readOver;
    told = read;
    return missed;
  }
}
