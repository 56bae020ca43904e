package io.sluice.statement;

import io.sluice.wire.StatementMetadata;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of one prepared statement as clients were told it, for each protocol version. Safe
 * for any thread.
 */
final class ToldMetadata {

  private static final int VERSIONS = 8;

  private final AtomicReferenceArray<@Nullable Told> byVersion =
      new AtomicReferenceArray<>(VERSIONS);
  private final boolean unsure;

  /**
   * What holds for one protocol version.
   *
   * @param metadata what clients were told last, or what a node has told since
   * @param changed whether some clients may have been told something else
   */
  record Told(StatementMetadata metadata, boolean changed) {}

  /**
   * Nothing told yet.
   *
   * @param unsure whether clients may have been told something that is forgotten by now
   */
  ToldMetadata(boolean unsure) {
    this.unsure = unsure;
  }

  /** Null when nothing was told in this version. */
  @Nullable Told get(int version) {
    return byVersion.get(version);
  }

  /** A node tells this now. */
  Told tell(int version, StatementMetadata now) {
    return byVersion.updateAndGet(
        version,
        told -> {
          if (told == null) {
            return new Told(now, unsure);
          }
          return told.metadata().equals(now) ? told : new Told(now, true);
        });
  }

  /** Whether clients were told this last; if not, what they were told is out of date. */
  boolean matches(int version, StatementMetadata now) {
    Told before = byVersion.get(version);
    if (before != null) {
      tell(version, now);
    }
    return before != null && before.metadata().equals(now);
  }

  /** An answer shows that what clients were told is out of date. */
  void doubt(int version) {
    byVersion.updateAndGet(version, told -> told == null ? null : new Told(told.metadata(), true));
  }
}
