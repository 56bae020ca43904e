package io.sluice.load;

import java.nio.ByteBuffer;

/**
 * A row of an answer.
 *
 * @param key its partition key
 * @param intact whether its values match its checksum, if it has one
 */
public record SeenRow(ByteBuffer key, boolean intact) {}
