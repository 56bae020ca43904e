package io.sluice.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of a result as protocol bytes: flags, number of columns, result metadata id (v5) and
 * column specifications. Immutable and safe for any thread.
 */
public final class ResultMetadata {

  static final int GLOBAL_TABLE = 0x01;
  static final int MORE_PAGES = 0x02;
  static final int NO_METADATA = 0x04;
  static final int METADATA_CHANGED = 0x08;

  private final int flags;
  private final int columns;
  private final byte[] id;
  private final byte[] specs;

  ResultMetadata(int flags, int columns, byte[] id, byte[] specs) {
    this.flags = flags;
    this.columns = columns;
    this.id = id;
    this.specs = specs;
  }

  /**
   * Whether rows with these flags and specifications have the same columns. The result metadata id
   * is ignored: it follows from the columns, and only responses to EXECUTE have it.
   */
  boolean matches(int flags, int columns, ByteBuf specs) {
    return ((this.flags ^ flags) & ~METADATA_CHANGED) == 0
        && this.columns == columns
        && ByteBufUtil.equals(Unpooled.wrappedBuffer(this.specs), specs);
  }

  public int columns() {
    return columns;
  }

  /** Whether only the number of columns is known, because the client asked to skip the metadata. */
  public boolean skipped() {
    return (flags & NO_METADATA) != 0;
  }

  /**
   * Returns the metadata of the first columns only, without the result metadata id, which stands
   * for all columns.
   */
  public ResultMetadata first(int count) {
    if (count == columns) {
      return this;
    }
    ByteBuf in = Unpooled.wrappedBuffer(specs);
    if (!skipped()) {
      ResultColumns.skip(in, count, (flags & GLOBAL_TABLE) != 0);
    }
    byte[] kept = Arrays.copyOf(specs, in.readerIndex());
    return new ResultMetadata(flags & ~METADATA_CHANGED, count, new byte[0], kept);
  }

  /**
   * Returns this metadata marked as changed, with the result metadata id of {@code latest} (v5).
   * Returns this metadata unchanged if {@code latest} has other columns.
   */
  public ResultMetadata changedTo(StatementMetadata latest) {
    boolean same =
        columns == latest.columns()
            && StatementMetadata.digest(Unpooled.wrappedBuffer(specs))
                .equals(latest.resultColumns());
    if (!same || skipped()) {
      return this;
    }
    ByteBuffer id = latest.resultId().duplicate();
    byte[] changed = new byte[id.remaining()];
    id.get(changed);
    return new ResultMetadata(flags | METADATA_CHANGED, columns, changed, specs);
  }

  /** Returns an upper bound for the bytes that {@link #write} writes, without the paging state. */
  int maxLength() {
    return 3 * Integer.BYTES + Short.BYTES + id.length + specs.length;
  }

  /**
   * Writes the metadata, from its flags to its column specifications; {@code pagingState} is null
   * for the last page.
   */
  void write(ByteBuf out, byte @Nullable [] pagingState) {
    out.writeInt(pagingState == null ? flags : flags | MORE_PAGES).writeInt(columns);
    if (pagingState != null) {
      out.writeInt(pagingState.length).writeBytes(pagingState);
    }
    if ((flags & METADATA_CHANGED) != 0) {
      out.writeShort(id.length).writeBytes(id);
    }
    out.writeBytes(specs);
  }
}
