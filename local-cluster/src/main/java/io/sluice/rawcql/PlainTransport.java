package io.sluice.rawcql;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * The transport of bare frames: the handshake of every version, and all traffic up to version 4.
 */
final class PlainTransport implements Transport {
  static final int HEADER = 9;
  private static final int OPCODE_AT = 4;
  private static final int LENGTH_AT = 5;

  private final DataInputStream in;
  private final OutputStream out;

  PlainTransport(InputStream in, OutputStream out) {
    this.in = new DataInputStream(in);
    this.out = out;
  }

  @Override
  public ByteBuf exchange(ByteBuf frame) throws IOException {
    frame.readBytes(out, frame.readableBytes());
    byte[] header = in.readNBytes(HEADER);
    if (header.length < HEADER) {
      throw new IOException("the node closed the connection");
    }
    ByteBuf answer = Unpooled.buffer(HEADER + Unpooled.wrappedBuffer(header).getInt(LENGTH_AT));
    answer.writeBytes(header);
    answer.writeBytes(in.readNBytes(answer.capacity() - HEADER));
    return answer;
  }

  static int opcode(ByteBuf frame) {
    return frame.getByte(frame.readerIndex() + OPCODE_AT);
  }

  static int length(ByteBuf frame) {
    return HEADER + frame.getInt(frame.readerIndex() + LENGTH_AT);
  }
}
