package io.sluice.rawcql;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.io.OutputStream;

/** The encoding of many frames on one connection. Not safe for several threads. */
interface Batching {

  /** Receives whole frames. */
  interface Frames {
    /** Called for each frame; it begins at {@code at} in {@code bytes}. */
    void frame(ByteBuf bytes, int at) throws IOException;
  }

  /** Takes all whole frames off {@code arrived}; the beginning of another one stays there. */
  void decode(ByteBuf arrived, Frames to) throws IOException;

  /** Writes whole frames in one write. */
  void write(ByteBuf frames, OutputStream out) throws IOException;

  /** Bare frames, up to version 4. */
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

  /** Whether the first frame is there whole. */
  static boolean isWhole(ByteBuf bytes) {
    return bytes.readableBytes() >= PlainTransport.HEADER
        && bytes.readableBytes() >= PlainTransport.length(bytes);
  }
}
