package io.sluice.wire;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The decoder from bytes to {@link Frame}s. Invalid input, or a frame that is too large, becomes a
 * {@link ProtocolError} in the stream of messages, so that it is answered in order.
 *
 * <p>A frame or segment that arrives in one read is passed on without a copy. One that arrives in
 * parts is copied once, into memory of its own size.
 *
 * <p>One read from a client may hold any number of requests, because segments are compressed. So
 * requests are passed on only while the connection reads, and only some in each turn of the event
 * loop. The rest stays as it arrived, and nothing more is read before it was passed on.
 */
final class FrameReader extends ChannelDuplexHandler {

  /** The most steps of the decoder in one turn of the event loop, for a client. */
  private static final int STEPS_OF_A_TURN = 512;

  /** The most memory allocated for a length that a client only announces. */
  private static final int UNPROVEN_BYTES = 64 * 1024;

  /** The most memory allocated for an announced length before login. */
  private static final int UNKNOWN_BYTES = 512;

  private final Framing framing;
  private final FrameDecoder decoder;

  /** Reads that are not decoded completely. */
  private final ArrayDeque<ByteBuf> reads = new ArrayDeque<>();

  /** The beginning of a frame or segment that has not arrived completely. */
  private @Nullable ByteBuf pending;

  private boolean decoding;

  /** Whether a turn is scheduled. */
  private boolean scheduled;

  private boolean removed;

  FrameReader(Framing framing) {
    this.framing = framing;
    this.decoder = new FrameDecoder(framing);
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (!(message instanceof ByteBuf arrived)) {
      ctx.fireChannelRead(message);
      return;
    }
    boolean waits = hasRest();
    reads.add(arrived);
    if (!waits) {
      decode(ctx);
    }
  }

  /** Reads more, unless something that has arrived was not passed on yet. */
  @Override
  public void read(ChannelHandlerContext ctx) {
    if (!hasRest()) {
      ctx.read();
    } else if (!scheduled) {
      scheduled = true;
      ctx.executor().execute(() -> decodeRest(ctx));
    }
  }

  private boolean hasRest() {
    return decoder.isUnpacking() || !reads.isEmpty();
  }

  private void decodeRest(ChannelHandlerContext ctx) {
    scheduled = false;
    if (removed) {
      return;
    }
    try {
      decode(ctx);
      ctx.fireChannelReadComplete();
    } catch (RuntimeException | Error e) {
      ctx.fireExceptionCaught(e);
    }
    if (ctx.channel().config().isAutoRead()) {
      read(ctx);
    }
  }

  private void decode(ChannelHandlerContext ctx) {
    boolean done = false;
    decoding = true;
    try {
      for (int steps = 0; hasRest() && !isHeld(ctx, steps); steps++) {
        step(ctx);
      }
      done = true;
    } finally {
      decoding = false;
      if (removed || !done) {
        release();
      }
      framing.unfinishedBytes(heldBytes());
    }
  }

  private boolean isHeld(ChannelHandlerContext ctx, int steps) {
    return removed
        || (framing.side() == Framing.Side.SERVER
            && (steps >= STEPS_OF_A_TURN || !ctx.channel().config().isAutoRead()));
  }

  private void step(ChannelHandlerContext ctx) {
    ByteBuf arrived = reads.peek();
    if (decoder.isUnpacking() || arrived == null) {
      decoder.unpackNext(ctx);
    } else if (!arrived.isReadable()) {
      reads.remove().release();
    } else if (pending != null) {
      continuePending(ctx, pending, arrived);
    } else if (!decoder.decode(ctx, arrived)) {
      pending = ctx.alloc().ioBuffer(firstCapacity(arrived)).writeBytes(arrived);
    }
  }

  private void continuePending(ChannelHandlerContext ctx, ByteBuf begun, ByteBuf arrived) {
    // The bytes may have arrived before segments begin, whose headers are shorter than a frame's.
    int missing = Math.max(0, decoder.lengthOfNext(begun) - begun.readableBytes());
    if (framing.side() == Framing.Side.CLIENT && begun.writableBytes() < missing) {
      // The buffer held a part of a header. It grows once, to the length of the answer.
      begun.capacity(begun.writerIndex() + missing);
    }
    begun.writeBytes(arrived, Math.min(missing, arrived.readableBytes()));
    while (begun.isReadable() && decoder.decode(ctx, begun)) {
      // Each iteration removes bytes.
    }
    if (!begun.isReadable()) {
      pending = null;
      begun.release();
    }
  }

  private int firstCapacity(ByteBuf in) {
    int length = decoder.lengthOfNext(in);
    return framing.side() == Framing.Side.CLIENT
        ? length
        : Math.max(
            in.readableBytes(),
            Math.min(length, framing.isBeforeLogin() ? UNKNOWN_BYTES : UNPROVEN_BYTES));
  }

  private int heldBytes() {
    int bytes = decoder.heldBytes() + (pending == null ? 0 : pending.capacity());
    for (ByteBuf each : reads) {
      bytes += each.readableBytes();
    }
    return bytes;
  }

  private void release() {
    if (pending != null) {
      pending.release();
      pending = null;
    }
    reads.forEach(ByteBuf::release);
    reads.clear();
    decoder.release();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    removed = true;
    if (!decoding) {
      release();
    }
  }
}
