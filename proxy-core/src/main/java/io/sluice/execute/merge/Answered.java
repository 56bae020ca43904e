package io.sluice.execute.merge;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The contents of an answer to a piece.
 *
 * @param rows its rows
 * @param bytes its size
 * @param complete whether the piece has no more rows
 * @param lastKey the serialised partition key of its last row; null when the piece is complete, or
 *     when the node's paging state does not contain it
 */
public record Answered(int rows, long bytes, boolean complete, @Nullable ByteBuffer lastKey) {}
