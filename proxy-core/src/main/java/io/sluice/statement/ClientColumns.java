package io.sluice.statement;

import io.sluice.wire.StatementMetadata;
import org.jspecify.annotations.Nullable;

/**
 * The columns that a client takes the rows of its EXECUTE to have (v5). Immutable.
 *
 * @param current whether they are those that clients were told last
 * @param latest those that clients were told last; null when none were
 */
record ClientColumns(boolean current, @Nullable StatementMetadata latest) {

  /** Of a client that is told the columns with the rows, or has the latest. */
  static final ClientColumns CURRENT = new ClientColumns(true, null);
}
