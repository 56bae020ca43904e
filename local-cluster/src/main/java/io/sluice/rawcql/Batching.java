package io.sluice.rawcql;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.io.OutputStream;

/** The encoding of several frames on one connection. Not safe for several threads. */
interface Batching {

  /** The receiver of whole frames. */
  interface Frames {
    /** Called for each frame. The frame begins at {@code at} in {@code bytes}. */
    void frame(ByteBuf bytes, int at) throws IOException;
  }

  /** Removes all whole frames from {@code arrived}. The beginning of another frame stays there. */
  void decode(ByteBuf arrived, Frames to) throws IOException;

  /** Writes whole frames in one write. */
  void write(ByteBuf frames, OutputStream out) throws IOException;

  /** Returns the encoding of bare frames, up to version 4. */
  static Batching plain() {
    return new Batching() {
      @Override
      public void decode(ByteBuf arrived, Frames to) throws IOException {
        while (isWhole(arrived)) {
          int at = arrived.readerIndex();
          arrived.skipBytes(PlainTransport.length(arrived));
          to.frame(arrived, at);
        }
      }

      @Override
      public void write(ByteBuf frames, OutputStream out) throws IOException {
        frames.readBytes(out, frames.readableBytes());
      }
    };
  }

  /** Whether the first frame is complete. */
  static boolean isWhole(ByteBuf bytes) {
    return bytes.readableBytes() >= PlainTransport.HEADER
        && bytes.readableBytes() >= PlainTransport.length(bytes);
  }
}
