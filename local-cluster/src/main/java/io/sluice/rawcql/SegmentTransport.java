package io.sluice.rawcql;

import com.datastax.oss.protocol.internal.Compressor;
import com.datastax.oss.protocol.internal.CrcMismatchException;
import com.datastax.oss.protocol.internal.Segment;
import com.datastax.oss.protocol.internal.SegmentCodec;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * The transport of version 5, in segments with checksums. A request must fit into one segment; a
 * response may span many.
 */
final class SegmentTransport implements Transport {
  private static final int HEADER_CRC = 3;
  private static final int TRAILER = 4;

  private final InputStream in;
  private final OutputStream out;
  private final SegmentCodec<ByteBuf> segments =
      new SegmentCodec<>(new HeapCodec(), Compressor.none());

  SegmentTransport(InputStream in, OutputStream out) {
    this.in = in;
    this.out = out;
  }

  @Override
  public ByteBuf exchange(ByteBuf frame) throws IOException {
    List<Object> parts = new ArrayList<>();
    segments.encode(new Segment<>(frame, true), parts);
    ByteBuf bytes = Unpooled.buffer();
    for (Object part : parts) {
      bytes.writeBytes((ByteBuf) part);
    }
    bytes.readBytes(out, bytes.readableBytes());
    ByteBuf answer = next();
    while (answer.readableBytes() < PlainTransport.HEADER
        || answer.readableBytes() < PlainTransport.length(answer)) {
      answer = Unpooled.wrappedBuffer(answer, next());
    }
    return answer;
  }

  private ByteBuf next() throws IOException {
    try {
      SegmentCodec.Header header =
          segments.decodeHeader(read(segments.headerLength() + HEADER_CRC));
      return segments.decode(header, read(header.payloadLength + TRAILER)).payload;
    } catch (CrcMismatchException e) {
      throw new IOException("a segment from the node has a wrong checksum", e);
    }
  }

  private ByteBuf read(int bytes) throws IOException {
    byte[] read = in.readNBytes(bytes);
    if (read.length < bytes) {
      throw new IOException("the node closed the connection");
    }
    return Unpooled.wrappedBuffer(read);
  }
}
