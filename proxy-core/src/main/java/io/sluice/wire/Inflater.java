package io.sluice.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.sluice.wire.AnswerMemory.Refusal;

/** Decompresses the bodies of v3 and v4 frames. Stateless. */
final class Inflater {

  /** An LZ4 block expands at most 255 times, a Snappy block less. */
  private static final long MAX_INFLATION = 255;

  private Inflater() {}

  /**
   * Returns the frame with a plain body. Takes ownership of {@code frame}, which is compressed.
   *
   * @param framing the framing of its connection, with the most bytes of a plain body and the
   *     memory for it
   * @throws ProtocolError when the body is broken or too large
   */
  static Frame plain(Frame frame, Framing framing, ByteBufAllocator alloc) {
    Compression compression = framing.compression();
    ByteBuf body = frame.body();
    try {
      if (compression == Compression.NONE) {
        throw ProtocolError.of(
            frame.stream(), "Compressed frame, but no compression was agreed on");
      }
      int announced = body.isReadable() ? compression.announcedLength(body) : -1;
      if (announced < 0 || announced > MAX_INFLATION * body.readableBytes()) {
        throw ProtocolError.of(
            frame.stream(), "Compressed frame of " + announced + " bytes is broken");
      }
      if (announced > framing.frameLimit()) {
        throw ProtocolError.invalid(frame.stream(), framing.tooLarge(announced));
      }
      // The plain body exists twice while it gets its header.
      Refusal refusal = framing.reserve(frame.length() + 2L * announced);
      if (refusal != null) {
        throw ProtocolError.of(refusal.code(), frame.stream(), refusal.message());
      }
      return inflated(frame, compression.compressor().decompress(body), alloc);
    } catch (ProtocolError e) {
      throw e;
    } catch (RuntimeException e) {
      throw ProtocolError.of(frame.stream(), "Cannot decompress the frame: " + e.getMessage());
    } finally {
      frame.release();
    }
  }

  private static Frame inflated(Frame from, ByteBuf body, ByteBufAllocator alloc) {
    try {
      ByteBuf envelope = alloc.ioBuffer(Frame.HEADER_LENGTH + body.readableBytes());
      ByteBuf old = from.bytes();
      envelope.writeBytes(old, old.readerIndex(), Frame.HEADER_LENGTH - Integer.BYTES);
      envelope.writeInt(body.readableBytes()).writeBytes(body);
      Frame frame = new Frame(envelope);
      frame.clearFlag(Frame.FLAG_COMPRESSED);
      return frame;
    } finally {
      body.release();
    }
  }
}
