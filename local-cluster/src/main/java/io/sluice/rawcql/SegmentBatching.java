package io.sluice.rawcql;

import com.datastax.oss.protocol.internal.Compressor;
import com.datastax.oss.protocol.internal.CrcMismatchException;
import com.datastax.oss.protocol.internal.Segment;
import com.datastax.oss.protocol.internal.SegmentCodec;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/** Many frames per segment, in version 5. A response that spans segments is refused. */
final class SegmentBatching implements Batching {
  private static final int HEADER_CRC = 3;
  private static final int TRAILER = 4;

  private final SegmentCodec<ByteBuf> segments =
      new SegmentCodec<>(new HeapCodec(), Compressor.none());

  @Override
  public void decode(ByteBuf received, Frames to) throws IOException {
    int head = segments.headerLength() + HEADER_CRC;
    try {
      while (received.readableBytes() >= head) {
        SegmentCodec.Header header =
            segments.decodeHeader(received.slice(received.readerIndex(), head));
        int length = header.payloadLength + TRAILER;
        if (received.readableBytes() < head + length) {
          return;
        }
        received.skipBytes(head);
        frames(segments.decode(header, received.readRetainedSlice(length)).payload, to);
      }
    } catch (CrcMismatchException e) {
      throw new IOException("a segment from the node has a wrong checksum", e);
    }
  }

  private static void frames(ByteBuf payload, Frames to) throws IOException {
    try {
      while (Batching.isWhole(payload)) {
        int at = payload.readerIndex();
        payload.skipBytes(PlainTransport.length(payload));
        to.frame(payload, at);
      }
      if (payload.isReadable()) {
        throw new IOException("an answer is longer than a segment");
      }
    } finally {
      payload.release();
    }
  }

  @Override
  public void write(ByteBuf frames, OutputStream out) throws IOException {
    ByteBuf bytes = Unpooled.buffer(2 * frames.readableBytes());
    while (frames.isReadable()) {
      List<Object> parts = new ArrayList<>(3);
      segments.encode(new Segment<>(frames.readRetainedSlice(wholeFrames(frames)), true), parts);
      for (Object part : parts) {
        bytes.writeBytes((ByteBuf) part);
      }
    }
    bytes.readBytes(out, bytes.readableBytes());
  }

  /** Returns the length of the frames at the head that fit into one segment. */
  private static int wholeFrames(ByteBuf frames) {
    int length = 0;
    while (length < frames.readableBytes()) {
      int rest = frames.readableBytes() - length;
      int next = PlainTransport.length(frames.slice(frames.readerIndex() + length, rest));
      if (length + next > Segment.MAX_PAYLOAD_LENGTH) {
        return length;
      }
      length += next;
    }
    return length;
  }
}
