package io.sluice.decide.plan;

import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The point where the next page of a split read begins.
 *
 * @param after everything up to this token has been delivered; null if nothing has
 * @param piece the piece to finish first, from {@code nodeState}; null without one
 * @param nodeState a node's paging state for {@code piece}; null together with it
 * @param rowsLeft rows left of LIMIT; −1 without limit
 * @param perPartition PER PARTITION LIMIT; −1 without. Not used, as {@code nodeState} tells how
 *     many rows are left of it; clients hold paging states with this field
 */
public record ResumePoint(
    @Nullable Token after,
    @Nullable TokenRange piece,
    @Nullable ByteBuffer nodeState,
    int rowsLeft,
    int perPartition) {}
