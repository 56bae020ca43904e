package io.sluice.statement;

import io.sluice.wire.PreparedId;
import io.sluice.wire.StatementMetadata;

/**
 * An EXECUTE of a client that knows the columns of the result, and does not want to be told again.
 *
 * @param id the prepared statement
 * @param told the columns that the client knows
 */
public record Execution(PreparedId id, StatementMetadata told) {}
