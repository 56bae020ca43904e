package io.sluice.statement;

import io.sluice.wire.StatementMetadata;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of one prepared statement that clients were sent, for each protocol version. Safe
 * for any thread.
 */
final class SentMetadata {

  private static final int VERSIONS = 8;

  private final AtomicReferenceArray<@Nullable Sent> byVersion =
      new AtomicReferenceArray<>(VERSIONS);
  private final boolean unsure;

  /**
   * The metadata for one protocol version.
   *
   * @param metadata the metadata that clients were sent last, or that a node has returned since
   * @param changed whether some clients may have been sent other metadata
   */
  record Sent(StatementMetadata metadata, boolean changed) {}

  /**
   * Creates a record without metadata.
   *
   * @param unsure whether clients may have been sent metadata that the cache has evicted
   */
  SentMetadata(boolean unsure) {
    this.unsure = unsure;
  }

  /** Returns the metadata for a protocol version; null when none was sent. */
  @Nullable Sent get(int version) {
    return byVersion.get(version);
  }

  /** Records the metadata that a node returns now. */
  Sent recordSent(int version, StatementMetadata now) {
    return byVersion.updateAndGet(
        version,
        sent -> {
          if (sent == null) {
            return new Sent(now, unsure);
          }
          return sent.metadata().equals(now) ? sent : new Sent(now, true);
        });
  }

  /** Whether clients were sent this metadata last. Records it if other metadata was sent before. */
  boolean matches(int version, StatementMetadata now) {
    Sent before = byVersion.get(version);
    if (before != null) {
      recordSent(version, now);
    }
    return before != null && before.metadata().equals(now);
  }

  /** Records that an answer does not match the metadata that clients were sent. */
  void doubt(int version) {
    byVersion.updateAndGet(version, sent -> sent == null ? null : new Sent(sent.metadata(), true));
  }
}
