package io.sluice.wire;

import com.datastax.oss.driver.internal.core.protocol.ByteBufPrimitiveCodec;
import com.datastax.oss.protocol.internal.SegmentCodec;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.sluice.wire.AnswerMemory.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * The framing of one connection, shared by its reader and writer. Frames are plain until the
 * handshake's READY or AUTHENTICATE. From then on, v5 uses segments in both directions. Used by the
 * connection's event loop only.
 */
public final class Framing {

  /** The role of this process on the connection. */
  public enum Side {
    /** Reads requests, writes responses. */
    SERVER,
    /** Writes requests, reads responses. */
    CLIENT
  }

  /** A frame of no more bytes needs no reservation. */
  private static final int SMALL_BYTES = 64 * 1024;

  private final Side side;
  private final int maxFrameBytes;
  private int frameLimit;
  private int unfinishedBytes;
  private long writtenBytes;
  private AnswerMemory answers = AnswerMemory.UNLIMITED;
  private boolean reserved;
  private Compression compression = Compression.NONE;
  private @Nullable SegmentCodec<ByteBuf> segments;

  Framing(Side side, int maxFrameBytes) {
    this.side = side;
    this.maxFrameBytes = maxFrameBytes;
    this.frameLimit = maxFrameBytes;
  }

  /** Sets the compression that STARTUP has negotiated, for all following frames. */
  public void compression(Compression agreed) {
    this.compression = agreed;
  }

  Compression compression() {
    return compression;
  }

  Side side() {
    return side;
  }

  /**
   * Refuses longer frames than this until {@link #loggedIn}, as the peer has not proved its
   * identity yet.
   */
  public void limitBeforeLogin(int bytes) {
    frameLimit = Math.min(bytes, maxFrameBytes);
  }

  /** Lifts the limit of {@link #limitBeforeLogin}. */
  public void loggedIn() {
    frameLimit = maxFrameBytes;
  }

  /** Whether the limit before login applies. */
  boolean isBeforeLogin() {
    return frameLimit < maxFrameBytes;
  }

  /** Returns the length in bytes of the longest frame that is read at present. */
  int frameLimit() {
    return frameLimit;
  }

  /** Returns the reason why a frame of this length is refused. */
  String tooLarge(long bytes) {
    if (side == Side.CLIENT) {
      return "The answer of %d bytes is larger than any that is read (%d); read it in pages"
          .formatted(bytes, frameLimit);
    }
    return isBeforeLogin()
        ? "Frame of %d bytes is larger than a frame may be before login (%d)"
            .formatted(bytes, frameLimit)
        : "Frame of %d bytes is larger than cql.maxFrameBytes (%d)".formatted(bytes, frameLimit);
  }

  /** Sets the memory for answers that arrive in parts. */
  public void answerMemory(AnswerMemory memory) {
    answers = memory;
  }

  /**
   * Reserves the memory of an answer of which a part has arrived, once. Does nothing for a small
   * answer, or for a request.
   *
   * @return the reason why the answer is not read; null otherwise
   */
  @Nullable Refusal reserve(long bytes) {
    if (reserved || bytes <= SMALL_BYTES || side == Side.SERVER) {
      return null;
    }
    Refusal refusal = answers.reserve(bytes);
    reserved = refusal == null;
    return refusal;
  }

  /** Ends the reservation of an answer that is complete, if there is one. */
  void endReservation() {
    if (reserved) {
      reserved = false;
      answers.release();
    }
  }

  /** Returns the memory in bytes of a frame or segment that has not arrived completely. */
  public int unfinishedBytes() {
    return unfinishedBytes;
  }

  void unfinishedBytes(int bytes) {
    unfinishedBytes = bytes;
  }

  /** Returns the bytes of all frames written so far, as they are on the wire. */
  public long writtenBytes() {
    return writtenBytes;
  }

  void wrote(int bytes) {
    writtenBytes += bytes;
  }

  /** Returns the segment codec; null while frames are plain. */
  @Nullable SegmentCodec<ByteBuf> segments() {
    return segments;
  }

  /**
   * Switches to segments after READY or AUTHENTICATE of v5, but not with Snappy, which v5 does not
   * have. Called with each plain frame, in the order of the wire.
   */
  void passed(int version, int opcode, ByteBufAllocator allocator) {
    if (segments == null
        && version >= ProtocolVersion.SEGMENTS
        && compression != Compression.SNAPPY
        && (opcode == Opcode.READY || opcode == Opcode.AUTHENTICATE)) {
      segments = new SegmentCodec<>(new ByteBufPrimitiveCodec(allocator), compression.compressor());
    }
  }
}
