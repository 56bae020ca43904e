package io.sluice.wire;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The metadata of a statement in a RESULT of kind Prepared: the columns of its variables and of its
 * result. Equal metadata come from equal messages to the client. Immutable and safe for any thread.
 *
 * @param all a digest of the whole message
 * @param columns the number of columns of the result
 * @param resultColumns a digest of the result's column specifications
 * @param resultId the result metadata id (v5), else empty
 */
public record StatementMetadata(
    ByteBuffer all, int columns, ByteBuffer resultColumns, ByteBuffer resultId) {

  private static final int NO_METADATA = 0x04;
  private static final int GLOBAL_TABLE = 0x01;

  /**
   * Reads the bytes after the statement's id.
   *
   * @throws IndexOutOfBoundsException when the message ends too early
   */
  static StatementMetadata read(ByteBuf in, int version) {
    ByteBuffer all = digest(in.slice());
    byte[] id =
        version >= ProtocolVersion.RESULT_METADATA_ID ? Primitives.readShortBytes(in) : new byte[0];
    int flags = in.readInt();
    int variables = in.readInt();
    if (version >= ProtocolVersion.KEY_VARIABLES) {
      skipKeyColumns(in);
    }
    skipColumns(in, flags, variables);
    int resultFlags = in.readInt();
    int columns = in.readInt();
    int from = in.readerIndex();
    skipColumns(in, resultFlags, columns);
    ByteBuffer specs = digest(in.slice(from, in.readerIndex() - from));
    return new StatementMetadata(all, columns, specs, ByteBuffer.wrap(id));
  }

  /** Skips the positions of the variables that are the partition key. */
  private static void skipKeyColumns(ByteBuf in) {
    int count = in.readInt();
    if (count < 0 || count > in.readableBytes() / Short.BYTES) {
      throw new IndexOutOfBoundsException(count + " key columns end outside the frame");
    }
    in.skipBytes(count * Short.BYTES);
  }

  private static void skipColumns(ByteBuf in, int flags, int columns) {
    if ((flags & NO_METADATA) == 0) {
      ResultColumns.skip(in, columns, (flags & GLOBAL_TABLE) != 0);
    }
  }

  /** Returns a collision-resistant digest of the readable bytes. */
  static ByteBuffer digest(ByteBuf bytes) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (ByteBuffer each : bytes.nioBuffers()) {
        digest.update(each);
      }
      return ByteBuffer.wrap(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }
}
