package io.sluice.statement;

import io.sluice.wire.StatementMetadata;
import org.jspecify.annotations.Nullable;

/**
 * The result columns that a client assumes for its EXECUTE (v5). Immutable.
 *
 * @param current whether these are the columns that clients were sent last
 * @param latest the columns that clients were sent last; null when none were sent
 */
record ClientColumns(boolean current, @Nullable StatementMetadata latest) {

  /** The columns of a client that gets them with the rows, or has the latest. */
  static final ClientColumns CURRENT = new ClientColumns(true, null);
}
