package io.sluice.rawcql;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/**
 * Requests that are sent in turn, again and again, each with the id of its stream. They are
 * collected, and sent in one write. Not safe for several threads.
 */
final class RequestCycle {
  private static final int USUAL_BYTES = 256 * 1024;
  private static final int STREAM_AT = 2;

  private final List<ByteBuf> requests;
  private final Batching batching;
  private final OutputStream out;
  private final ByteBuf collected = Unpooled.buffer(USUAL_BYTES);
  private int next;

  /**
   * Creates a cycle that begins with the first request.
   *
   * @param requests whole frames; not empty
   */
  RequestCycle(List<ByteBuf> requests, Batching batching, OutputStream out) {
    this.requests = requests;
    this.batching = batching;
    this.out = out;
  }

  /** Adds the next request to those of the next write. */
  void add(int stream) {
    int at = collected.writerIndex();
    ByteBuf request = requests.get(next);
    collected.writeBytes(request, request.readerIndex(), request.readableBytes());
    collected.setShort(at + STREAM_AT, stream);
    next = (next + 1) % requests.size();
  }

  /** Returns the stream of the frame at {@code at}. */
  static int stream(ByteBuf frames, int at) {
    return frames.getShort(at + STREAM_AT);
  }

  /** Sends the added requests, if there are any. */
  void flush() throws IOException {
    if (collected.isReadable()) {
      batching.write(collected, out);
      collected.clear();
    }
  }
}
