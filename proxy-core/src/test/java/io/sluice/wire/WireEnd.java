package io.sluice.wire;

import com.datastax.oss.driver.internal.core.protocol.ByteBufPrimitiveCodec;
import com.datastax.oss.protocol.internal.FrameCodec;
import com.datastax.oss.protocol.internal.Message;
import com.datastax.oss.protocol.internal.Segment;
import com.datastax.oss.protocol.internal.SegmentCodec;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One end of an embedded connection, with bytes from the vendor's codec. */
final class WireEnd {

  static final int MAX_FRAME_BYTES = 1 << 20;

  private static final ByteBufPrimitiveCodec PRIMITIVES =
      new ByteBufPrimitiveCodec(UnpooledByteBufAllocator.DEFAULT);

  private static final FrameCodec<ByteBuf> CLIENT =
      FrameCodec.defaultClient(PRIMITIVES, Compression.NONE.compressor());
  private static final FrameCodec<ByteBuf> SERVER =
      FrameCodec.defaultServer(PRIMITIVES, Compression.NONE.compressor());

  final CountedBuffers buffers;
  final EmbeddedChannel channel = new EmbeddedChannel();
  final Framing framing;

  WireEnd(Framing.Side side) {
    this(side, new CountedBuffers());
  }

  WireEnd(Framing.Side side, CountedBuffers buffers) {
    this.buffers = buffers;
    channel.config().setAllocator(buffers);
    framing = FrameHandlers.install(channel.pipeline(), side, MAX_FRAME_BYTES);
  }

  static WireEnd server() {
    return new WireEnd(Framing.Side.SERVER);
  }

  static WireEnd client() {
    return new WireEnd(Framing.Side.CLIENT);
  }

  /** Returns a server whose v5 handshake is complete. */
  static WireEnd inSegments(Compression compression) {
    return server().afterReady(compression);
  }

  /** Completes the v5 handshake. */
  WireEnd afterReady(Compression compression) {
    framing.compression(compression);
    framing.passed(5, Opcode.READY, buffers);
    return this;
  }

  static byte[] bytes(String hex) {
    return ByteBufUtil.decodeHexDump(hex.replace(" ", ""));
  }

  static byte[] joined(byte[]... parts) {
    ByteBuf all = Unpooled.wrappedBuffer(parts);
    return ByteBufUtil.getBytes(all);
  }

  /** Delivers the bytes in parts that end at {@code cuts}. */
  WireEnd arrive(byte[] bytes, int... cuts) {
    int from = 0;
    for (int cut : cuts) {
      piece(bytes, from, cut);
      from = cut;
    }
    return piece(bytes, from, bytes.length);
  }

  private WireEnd piece(byte[] bytes, int from, int to) {
    channel.writeInbound(buffers.directBuffer().writeBytes(bytes, from, to - from));
    return this;
  }

  /**
   * Returns the messages read since the last call: frames as hexadecimal, errors as {@code stream:
   * message}, preceded by {@code fatal} where they end the connection.
   */
  List<String> understood() {
    List<String> all = new ArrayList<>();
    for (Object each = channel.readInbound(); each != null; each = channel.readInbound()) {
      if (each instanceof Frame frame) {
        all.add(hex(frame));
        frame.release();
      } else if (each instanceof ProtocolError error) {
        all.add(
            (error.fatal() ? "fatal " : "")
                + "%04x on %d: %s".formatted(error.code(), error.stream(), error.getMessage()));
      } else {
        all.add("? " + each);
      }
    }
    return all;
  }

  /** Writes frames, flushes once, and returns the bytes of each write. */
  List<byte[]> write(Frame... frames) {
    for (Frame frame : frames) {
      channel.write(frame);
    }
    channel.flush();
    return left();
  }

  List<byte[]> left() {
    List<byte[]> writes = new ArrayList<>();
    for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
      writes.add(ByteBufUtil.getBytes(out));
      out.release();
    }
    return writes;
  }

  /** Closes the connection and returns how many buffers are still held. */
  long heldAfterClose() {
    understood();
    channel.close();
    channel.runPendingTasks();
    understood();
    left();
    return buffers.held();
  }

  static String hex(Frame frame) {
    return ByteBufUtil.hexDump(ByteBufUtil.getBytes(frame.bytes()));
  }

  static Frame frame(byte[] envelope) {
    return new Frame(Unpooled.wrappedBuffer(envelope));
  }

  Frame owned(byte[] envelope) {
    return new Frame(buffers.directBuffer().writeBytes(envelope));
  }

  static byte[] request(int version, int stream, Message message) {
    return request(version, stream, false, Map.of(), message);
  }

  static byte[] request(
      int version,
      int stream,
      boolean tracing,
      Map<String, java.nio.ByteBuffer> payload,
      Message message) {
    return taken(
        CLIENT.encode(
            com.datastax.oss.protocol.internal.Frame.forRequest(
                version, stream, tracing, payload, message)));
  }

  static byte[] response(com.datastax.oss.protocol.internal.Frame frame) {
    return taken(SERVER.encode(frame));
  }

  /** Returns the message that the vendor's client reads. The caller keeps the frame. */
  static com.datastax.oss.protocol.internal.Frame read(Frame frame) {
    return CLIENT.decode(Unpooled.copiedBuffer(frame.bytes()));
  }

  /** Returns the message that the vendor's server reads. The caller keeps the frame. */
  static com.datastax.oss.protocol.internal.Frame readRequest(Frame frame) {
    return SERVER.decode(Unpooled.copiedBuffer(frame.bytes()));
  }

  private static byte[] taken(ByteBuf encoded) {
    try {
      return ByteBufUtil.getBytes(encoded);
    } finally {
      encoded.release();
    }
  }

  /** Returns one segment that the vendor's codec has written. */
  static byte[] segment(Compression compression, boolean selfContained, byte[]... envelopes) {
    List<Object> parts = new ArrayList<>();
    ByteBuf payload = Unpooled.directBuffer().writeBytes(joined(envelopes));
    new SegmentCodec<>(PRIMITIVES, compression.compressor())
        .encode(new Segment<>(payload, selfContained), parts);
    return taken(Unpooled.wrappedBuffer(parts.toArray(ByteBuf[]::new)));
  }
}
