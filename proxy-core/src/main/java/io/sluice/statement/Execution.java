package io.sluice.statement;

import io.sluice.wire.PreparedId;
import io.sluice.wire.StatementMetadata;

/**
 * An EXECUTE that skips the result metadata because the client knows the columns.
 *
 * @param id the prepared statement
 * @param told the columns that the client knows
 */
public record Execution(PreparedId id, StatementMetadata told) {}
