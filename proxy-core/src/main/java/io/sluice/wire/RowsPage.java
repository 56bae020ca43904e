package io.sluice.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A builder that collects the rows of answers in one RESULT of kind Rows. Rows are slices of the
 * answers' memory. Only small slices are copied, to keep the number of buffers low. {@link
 * #toFrame} or {@link #release} ends the page. Not safe for several threads.
 */
public final class RowsPage {

  /** The least length of a slice that is kept. Copying a smaller one is cheaper. */
  private static final int COPY_BELOW_BYTES = 1024;

  /** The most warnings of nodes. A response has room for 65,535; no client reads so many. */
  private static final int MAX_WARNINGS = 256;

  /**
   * The limit of a frame's length field and of Netty's buffers, less room for header and metadata.
   */
  private static final long MAX_BYTES = Integer.MAX_VALUE - (16L << 20);

  private final List<ByteBuf> slices = new ArrayList<>();
  private final Set<String> warnings = new LinkedHashSet<>();
  private int warningsLeftOut;
  private @Nullable UUID tracingId;
  private byte[] payload = new byte[0];
  private boolean firstNoted;
  private int rows;
  private long bytes;

  /**
   * Records the data before an answer's message: the first distinct warnings, and the tracing id
   * and payload of the first answer. A response has only one of each.
   */
  public void note(RowsAnswer answer) {
    for (String warning : answer.warnings()) {
      if (warnings.size() < MAX_WARNINGS) {
        warnings.add(warning);
      } else if (!warnings.contains(warning)) {
        warningsLeftOut++;
      }
    }
    if (!firstNoted) {
      firstNoted = true;
      tracingId = answer.tracingId();
      payload = answer.payload();
    }
  }

  /** Adds a warning, which only clients from v4 on understand. */
  public void warn(String warning) {
    warnings.add(warning);
  }

  /**
   * Adds rows of an answer, which may be released afterwards.
   *
   * @param from the offset at which the first of these rows begins
   * @param to the offset at which the last of these rows ends
   * @param count the number of these rows
   */
  public void add(RowsAnswer answer, int from, int to, int count) {
    if (to > from) {
      slices.add(answer.rowBytes(from, to));
    }
    rows += count;
    bytes += to - from;
  }

  /** Adds a row of these cells; null for a null cell. */
  public void addRow(List<byte @Nullable []> cells) {
    ByteBuf row = Unpooled.buffer();
    for (byte[] cell : cells) {
      row.writeInt(cell == null ? -1 : cell.length);
      if (cell != null) {
        row.writeBytes(cell);
      }
    }
    rows++;
    bytes += row.readableBytes();
    slices.add(row);
  }

  public int rows() {
    return rows;
  }

  /** Returns the bytes of the rows so far. */
  public long bytes() {
    return bytes;
  }

  /** Whether the page is too large for one frame. */
  public boolean tooLarge() {
    return bytes > MAX_BYTES;
  }

  /**
   * Returns the frame on stream 0, which the caller owns. This page is empty afterwards.
   *
   * @param pagingState the paging state of the next page, or null for the last page
   */
  public Frame toFrame(
      int version,
      ResultMetadata metadata,
      @Nullable ByteBuffer pagingState,
      ByteBufAllocator allocator) {
    byte[] state = pagingState == null ? null : copy(pagingState);
    if (warningsLeftOut > 0) {
      warnings.add("The nodes have sent " + warningsLeftOut + " more warnings");
    }
    ByteBuf head = head(metadata, state, allocator);
    CompositeByteBuf whole = allocator.compositeBuffer(Integer.MAX_VALUE);
    ByteBuf small = head;
    for (ByteBuf slice : slices) {
      if (slice.readableBytes() < COPY_BELOW_BYTES) {
        if (small == null) {
          small = allocator.ioBuffer(8 * COPY_BELOW_BYTES);
        }
        small.writeBytes(slice);
        slice.release();
      } else {
        if (small != null) {
          whole.addComponent(true, small);
          small = null;
        }
        whole.addComponent(true, slice);
      }
    }
    if (small != null) {
      whole.addComponent(true, small);
    }
    slices.clear();
    Frame frame = Frame.response(single(whole), version, 0, Opcode.RESULT);
    frame.setFlags(flags());
    return frame;
  }

  /** Unwraps a composite buffer of only one part. */
  private static ByteBuf single(CompositeByteBuf whole) {
    if (whole.numComponents() > 1) {
      return whole;
    }
    ByteBuf only = whole.component(0).retain();
    whole.release();
    return only;
  }

  private static byte[] copy(ByteBuffer from) {
    byte[] bytes = new byte[from.remaining()];
    from.duplicate().get(bytes);
    return bytes;
  }

  private int flags() {
    return (tracingId != null ? Frame.FLAG_TRACING : 0)
        | (warnings.isEmpty() ? 0 : Frame.FLAG_WARNING)
        | (payload.length > 0 ? Frame.FLAG_PAYLOAD : 0);
  }

  /** Writes everything before the rows. */
  private ByteBuf head(
      ResultMetadata metadata, byte @Nullable [] state, ByteBufAllocator allocator) {
    int length = metadata.maxLength() + (state == null ? 0 : state.length) + payload.length;
    ByteBuf out = allocator.ioBuffer(Frame.HEADER_LENGTH + length + 64);
    out.writeZero(Frame.HEADER_LENGTH);
    if (tracingId != null) {
      out.writeLong(tracingId.getMostSignificantBits());
      out.writeLong(tracingId.getLeastSignificantBits());
    }
    if (!warnings.isEmpty()) {
      out.writeShort(warnings.size());
      for (String warning : warnings) {
        byte[] text = warning.getBytes(StandardCharsets.UTF_8);
        out.writeShort(text.length).writeBytes(text);
      }
    }
    out.writeBytes(payload).writeInt(RowsAnswer.KIND_ROWS);
    metadata.write(out, state);
    return out.writeInt(rows);
  }

  /** Releases the collected rows. */
  public void release() {
    slices.forEach(ByteBuf::release);
    slices.clear();
  }
}
