package io.sluice.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import io.sluice.wire.AnswerMemory.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * The frame of a connection that spans several segments. A frame that is too large, or an answer
 * for which there is no memory, is skipped as it arrives. Not safe for several threads: the
 * connection's event loop.
 */
final class SpanningFrame {

  /**
   * More segments than any response has. A composite buffer copies its parts when it exceeds its
   * limit.
   */
  private static final int MAX_SEGMENTS = 1 << 20;

  private final Framing framing;
  private final FrameCheck check;
  private @Nullable ByteBuf arrived;

  /** Bytes of a refused frame that have not arrived yet. */
  private long skip;

  SpanningFrame(Framing framing, FrameCheck check) {
    this.framing = framing;
    this.check = check;
  }

  /** Whether the next segment belongs to a frame of which a part has arrived. */
  boolean isUnderWay() {
    return arrived != null || skip > 0;
  }

  /** Returns the memory of what has arrived, in bytes. */
  int capacity() {
    return arrived == null ? 0 : arrived.capacity();
  }

  /**
   * Adds the payload of the next segment.
   *
   * @param payload owned by this method
   * @return the frame, after its last segment; otherwise null
   * @throws ProtocolError when the frame is refused, or invalid
   */
  @Nullable Frame add(ByteBuf payload, ByteBufAllocator alloc) {
    if (skip > 0) {
      skip -= payload.readableBytes();
      payload.release();
      checkLast(skip);
      return null;
    }
    ByteBuf joined = join(payload, alloc);
    arrived = joined;
    if (!isWhole(joined)) {
      return null;
    }
    arrived = null;
    framing.endReservation();
    return whole(joined);
  }

  void release() {
    if (arrived != null) {
      arrived.release();
      arrived = null;
    }
  }

  /**
   * Adds a payload to what has arrived. Payloads from a node are not copied. Those from a client
   * are, because a client could send a frame in segments of one byte.
   */
  private ByteBuf join(ByteBuf payload, ByteBufAllocator alloc) {
    if (framing.side() == Framing.Side.CLIENT) {
      CompositeByteBuf parts =
          arrived instanceof CompositeByteBuf begun ? begun : alloc.compositeBuffer(MAX_SEGMENTS);
      return parts.addComponent(true, payload);
    }
    try {
      ByteBuf begun = arrived == null ? alloc.ioBuffer(2 * payload.readableBytes()) : arrived;
      return begun.writeBytes(payload);
    } finally {
      payload.release();
    }
  }

  /** Whether the frame is complete. Refuses one that is too large or has no memory. */
  private boolean isWhole(ByteBuf joined) {
    if (joined.readableBytes() < Frame.HEADER_LENGTH) {
      return false;
    }
    long length = check.announcedLength(joined, 0);
    if (length > framing.frameLimit()) {
      throw refused(joined, length, new Refusal(ErrorCode.INVALID, framing.tooLarge(length)));
    }
    if (joined.readableBytes() >= Frame.HEADER_LENGTH + length) {
      return true;
    }
    Refusal refusal = framing.reserve(Frame.HEADER_LENGTH + length);
    if (refusal != null) {
      throw refused(joined, length, refusal);
    }
    return false;
  }

  /** Returns the complete frame. Takes ownership of its bytes. */
  private Frame whole(ByteBuf joined) {
    try {
      checkLast(Frame.HEADER_LENGTH + check.announcedLength(joined, 0) - joined.readableBytes());
      checkSupported(joined);
    } catch (ProtocolError e) {
      joined.release();
      throw e;
    }
    Frame frame = new Frame(joined);
    frame.clearFlag(Frame.FLAG_COMPRESSED);
    return frame;
  }

  /**
   * Drops what has arrived of the frame. The rest is skipped. A request is refused on its own
   * stream, as by a node.
   */
  private ProtocolError refused(ByteBuf begun, long length, Refusal refusal) {
    if (framing.isBeforeLogin()) {
      return ProtocolError.fatal(refusal.message());
    }
    checkSupported(begun);
    int stream = begun.getShort(2);
    skip = Frame.HEADER_LENGTH + length - begun.readableBytes();
    checkLast(skip);
    arrived = null;
    begun.release();
    return ProtocolError.of(refusal.code(), stream, refusal.message());
  }

  private void checkSupported(ByteBuf begun) {
    if (!check.isSupported(begun, 0)) {
      throw ProtocolError.fatal(FrameCheck.unsupported(begun, 0));
    }
  }

  private static void checkLast(long missing) {
    if (missing < 0) {
      throw ProtocolError.fatal("The last segment of a large frame holds more than the frame");
    }
  }
}
