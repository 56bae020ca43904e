package io.sluice.wire;

import com.datastax.oss.protocol.internal.Segment;
import com.datastax.oss.protocol.internal.SegmentCodec;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * The encoder from {@link Frame}s to bytes. In v5, responses written between two flushes share
 * segments. A segment leaves in one write, because python-driver loses bytes when a read ends
 * inside a segment's header.
 *
 * <p>Each request has segments of its own: a node closes the connection at the second request of a
 * segment that it cannot decode, and the connection carries requests of many clients.
 */
final class FrameWriter extends ChannelOutboundHandlerAdapter {

  /** The least body length for which compression towards a node is worthwhile. */
  private static final int REQUEST_FROM_BYTES = 512;

  /**
   * The least body length for compression towards a client. A node compresses every response with a
   * body, and clients report compressed sizes.
   */
  private static final int RESPONSE_FROM_BYTES = 1;

  /**
   * The longest body that is compressed as a whole, in v3 and v4. While it is, its memory is needed
   * three times, which counts for no client.
   */
  private static final int COMPRESS_UP_TO_BYTES = 16 << 20;

  /** Up to this length, copying frames into one buffer is cheaper than a composite buffer. */
  private static final int JOIN_UP_TO_BYTES = 8 * 1024;

  private final Framing framing;
  private final int compressFromBytes;
  private final PlainSegment plain = new PlainSegment();
  private final ArrayDeque<ByteBuf> waiting = new ArrayDeque<>();
  private int waitingBytes;

  /** The parts of the segment that is being written. */
  private final List<Object> encoded = new ArrayList<>(3);

  FrameWriter(Framing framing) {
    this.framing = framing;
    this.compressFromBytes =
        framing.side() == Framing.Side.SERVER ? RESPONSE_FROM_BYTES : REQUEST_FROM_BYTES;
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    if (!(message instanceof Frame frame)) {
      if (framing.segments() != null) {
        writeWaiting(ctx, framing.segments());
      }
      ctx.write(message, promise);
      return;
    }
    if (framing.segments() != null) {
      writeInSegment(ctx, framing.segments(), frame);
      promise.trySuccess();
      return;
    }
    int version = frame.version();
    int opcode = frame.opcode();
    write(ctx, compressed(frame, ctx.alloc()), promise);
    if (framing.side() == Framing.Side.SERVER) {
      framing.passed(version, opcode, ctx.alloc());
    }
  }

  private void write(ChannelHandlerContext ctx, ByteBuf bytes, ChannelPromise promise) {
    framing.wrote(bytes.readableBytes());
    ctx.write(bytes, promise);
  }

  private ByteBuf compressed(Frame frame, ByteBufAllocator alloc) {
    Compression compression = framing.compression();
    boolean plain =
        frame.version() >= ProtocolVersion.SEGMENTS
            || frame.opcode() == Opcode.STARTUP
            || frame.opcode() == Opcode.OPTIONS;
    if (compression == Compression.NONE
        || plain
        || frame.bodyLength() < compressFromBytes
        || frame.bodyLength() > COMPRESS_UP_TO_BYTES) {
      return frame.detach();
    }
    ByteBuf body = compression.compressor().compress(frame.body());
    ByteBuf header = alloc.ioBuffer(Frame.HEADER_LENGTH);
    header.writeByte(frame.bytes().getByte(frame.bytes().readerIndex()));
    header.writeByte(frame.flags() | Frame.FLAG_COMPRESSED);
    header.writeShort(frame.stream()).writeByte(frame.opcode()).writeInt(body.readableBytes());
    frame.release();
    return alloc.compositeBuffer(2).addComponents(true, header, body);
  }

  private void writeInSegment(ChannelHandlerContext ctx, SegmentCodec<ByteBuf> codec, Frame frame) {
    if (waitingBytes + frame.length() > Segment.MAX_PAYLOAD_LENGTH) {
      writeWaiting(ctx, codec);
    }
    if (frame.length() > Segment.MAX_PAYLOAD_LENGTH) {
      writeInPieces(ctx, codec, frame.detach());
    } else {
      waitingBytes += frame.length();
      waiting.add(frame.detach());
      if (framing.side() == Framing.Side.CLIENT) {
        writeWaiting(ctx, codec);
      }
    }
  }

  private void writeInPieces(
      ChannelHandlerContext ctx, SegmentCodec<ByteBuf> codec, ByteBuf whole) {
    try {
      while (whole.isReadable()) {
        int length = Math.min(whole.readableBytes(), Segment.MAX_PAYLOAD_LENGTH);
        writeSegment(ctx, codec, whole.readRetainedSlice(length), false);
      }
    } finally {
      whole.release();
    }
  }

  private void writeWaiting(ChannelHandlerContext ctx, SegmentCodec<ByteBuf> codec) {
    if (waiting.isEmpty()) {
      return;
    }
    if (framing.compression() == Compression.NONE
        && waitingBytes <= JOIN_UP_TO_BYTES - PlainSegment.OVERHEAD) {
      ByteBuf segment = plain.join(waiting, waitingBytes, ctx.alloc());
      waitingBytes = 0;
      write(ctx, segment, ctx.voidPromise());
    } else {
      writeSegment(ctx, codec, joinWaiting(ctx.alloc()), true);
    }
  }

  private ByteBuf joinWaiting(ByteBufAllocator alloc) {
    if (waiting.size() == 1) {
      waitingBytes = 0;
      return waiting.remove();
    }
    ByteBuf joined = alloc.ioBuffer(waitingBytes);
    for (ByteBuf next = waiting.poll(); next != null; next = waiting.poll()) {
      joined.writeBytes(next);
      next.release();
    }
    waitingBytes = 0;
    return joined;
  }

  private void writeSegment(
      ChannelHandlerContext ctx,
      SegmentCodec<ByteBuf> codec,
      ByteBuf payload,
      boolean selfContained) {
    if (framing.compression() == Compression.NONE) {
      write(ctx, plain.wrap(payload, selfContained, ctx.alloc()), ctx.voidPromise());
      return;
    }
    try {
      codec.encode(new Segment<>(contiguous(payload, ctx.alloc()), selfContained), encoded);
      write(ctx, whole(ctx.alloc()), ctx.voidPromise());
    } finally {
      encoded.clear();
    }
  }

  /** Returns the payload in one part, because the vendor's checksum reads no other. */
  private static ByteBuf contiguous(ByteBuf payload, ByteBufAllocator alloc) {
    if (payload.nioBufferCount() == 1) {
      return payload;
    }
    ByteBuf copy = alloc.ioBuffer(payload.readableBytes());
    copy.writeBytes(payload);
    payload.release();
    return copy;
  }

  /** Returns the encoded parts of a segment as one buffer. */
  private ByteBuf whole(ByteBufAllocator alloc) {
    int length = 0;
    for (Object part : encoded) {
      length += ((ByteBuf) part).readableBytes();
    }
    if (length <= JOIN_UP_TO_BYTES) {
      ByteBuf joined = alloc.ioBuffer(length);
      for (Object part : encoded) {
        joined.writeBytes((ByteBuf) part);
        ((ByteBuf) part).release();
      }
      return joined;
    }
    CompositeByteBuf whole = alloc.compositeBuffer(encoded.size());
    for (Object part : encoded) {
      whole.addComponent(true, (ByteBuf) part);
    }
    return whole;
  }

  @Override
  public void flush(ChannelHandlerContext ctx) {
    if (framing.segments() != null) {
      writeWaiting(ctx, framing.segments());
    }
    ctx.flush();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    waiting.forEach(ByteBuf::release);
    waiting.clear();
  }
}
