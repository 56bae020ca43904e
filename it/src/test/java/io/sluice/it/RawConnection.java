package io.sluice.it;

import com.datastax.oss.driver.internal.core.protocol.ByteBufPrimitiveCodec;
import com.datastax.oss.protocol.internal.Compressor;
import com.datastax.oss.protocol.internal.CrcMismatchException;
import com.datastax.oss.protocol.internal.Segment;
import com.datastax.oss.protocol.internal.SegmentCodec;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A socket that sends any bytes and reads frames. Not safe for several threads. */
final class RawConnection implements AutoCloseable {
  private static final int HEADER = 9;

  private final Socket socket = new Socket();
  private final SegmentCodec<ByteBuf> segments = codec();
  private boolean segmented;
  private ByteBuf unread = Unpooled.EMPTY_BUFFER;

  RawConnection(InetSocketAddress address) throws IOException {
    this(address, null);
  }

  /** Opens a connection from the local address {@code from}, or from any if it is null. */
  RawConnection(InetSocketAddress address, @Nullable String from) throws IOException {
    if (from != null) {
      socket.bind(new InetSocketAddress(from, 0));
    }
    socket.setTcpNoDelay(true);
    socket.setSoTimeout((int) Waiting.PATIENCE.toMillis());
    socket.connect(address, 5_000);
  }

  /** Opens a connection, and completes its handshake. */
  static RawConnection ready(InetSocketAddress address, int version) throws IOException {
    RawConnection connection = new RawConnection(address);
    connection.send(Bytes.frame(version, 0, 0, Bytes.STARTUP, Bytes.startup()));
    RawFrame answer = connection.read();
    if (answer == null || answer.opcode() != RawFrame.READY) {
      connection.close();
      throw new IOException("not ready: " + answer);
    }
    connection.segmented = version >= 5;
    return connection;
  }

  /** Uses segments on both sides from now on. */
  void speakInSegments() {
    segmented = true;
  }

  /** Sends the bytes unchanged. */
  void sendRaw(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
  }

  /** Sends frames, in a segment if this connection uses segments. */
  void send(byte[] frames) throws IOException {
    sendRaw(segmented ? segment(frames) : frames);
  }

  /** Returns a self-contained segment with the frames. */
  byte[] segment(byte[] frames) {
    return encode(segments, frames);
  }

  /** Returns a self-contained segment, independent of any connection. */
  static byte[] segmentOf(byte[] frames) {
    return encode(codec(), frames);
  }

  private static SegmentCodec<ByteBuf> codec() {
    return new SegmentCodec<>(
        new ByteBufPrimitiveCodec(UnpooledByteBufAllocator.DEFAULT), Compressor.none());
  }

  /** Returns the segments of a frame that is too long for one. */
  static byte[] segmentsOf(byte[] frame) {
    Bytes all = new Bytes();
    for (int from = 0; from < frame.length; from += Segment.MAX_PAYLOAD_LENGTH) {
      int to = Math.min(frame.length, from + Segment.MAX_PAYLOAD_LENGTH);
      all.bytes(encode(codec(), Arrays.copyOfRange(frame, from, to), false));
    }
    return all.done();
  }

  private static byte[] encode(SegmentCodec<ByteBuf> segments, byte[] frames) {
    return encode(segments, frames, true);
  }

  private static byte[] encode(
      SegmentCodec<ByteBuf> segments, byte[] frames, boolean selfContained) {
    List<Object> parts = new ArrayList<>();
    segments.encode(new Segment<>(Unpooled.wrappedBuffer(frames), selfContained), parts);
    ByteBuf bytes = Unpooled.buffer();
    parts.forEach(part -> bytes.writeBytes((ByteBuf) part));
    return ByteBufUtil.getBytes(bytes);
  }

  /** Reads the next frame; null after the end of the stream. */
  @Nullable RawFrame read() throws IOException {
    try {
      byte[] header = bytes(HEADER);
      ByteBuf fields = Unpooled.wrappedBuffer(header);
      int version = fields.readUnsignedByte();
      int flags = fields.readUnsignedByte();
      int stream = fields.readShort();
      int opcode = fields.readUnsignedByte();
      return new RawFrame(
          version, flags, stream, opcode, Unpooled.wrappedBuffer(bytes(fields.readInt())));
    } catch (EOFException e) {
      return null;
    } catch (java.net.SocketException e) {
      return null;
    }
  }

  /** Returns the next event as text: a frame, the end, or silence. */
  String outcome(int waitMillis) throws IOException {
    socket.setSoTimeout(waitMillis);
    try {
      RawFrame frame = read();
      return frame == null ? "closed" : frame.toString();
    } catch (SocketTimeoutException e) {
      return "silence";
    } finally {
      socket.setSoTimeout((int) Waiting.PATIENCE.toMillis());
    }
  }

  /** Reads one byte if available. */
  void sip() {
    try {
      if (socket.getInputStream().available() > 0) {
        socket.getInputStream().read();
      }
    } catch (IOException e) {
      // The connection is closed, which is allowed here.
    }
  }

  /** Sets the longest wait for a response. */
  void waitAtMost(int millis) throws IOException {
    socket.setSoTimeout(millis);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  private byte[] bytes(int count) throws IOException {
    if (!segmented) {
      return exactly(count);
    }
    while (unread.readableBytes() < count) {
      unread = Unpooled.wrappedBuffer(unread, nextSegment());
    }
    byte[] taken = new byte[count];
    unread.readBytes(taken);
    return taken;
  }

  private ByteBuf nextSegment() throws IOException {
    try {
      SegmentCodec.Header header =
          segments.decodeHeader(
              Unpooled.wrappedBuffer(exactly(segments.headerLength() + SegmentCodec.CRC24_LENGTH)));
      ByteBuf rest =
          Unpooled.wrappedBuffer(exactly(header.payloadLength + SegmentCodec.CRC32_LENGTH));
      return segments.decode(header, rest).payload;
    } catch (CrcMismatchException e) {
      throw new IOException("wrong checksum in an answer", e);
    }
  }

  private byte[] exactly(int count) throws IOException {
    byte[] bytes = socket.getInputStream().readNBytes(count);
    if (bytes.length < count) {
      throw new EOFException();
    }
    return bytes;
  }
}
