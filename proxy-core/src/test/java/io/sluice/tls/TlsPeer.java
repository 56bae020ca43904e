package io.sluice.tls;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

/** The two ends of an embedded connection: a channel of the proxy, and the engine of its peer. */
final class TlsPeer implements AutoCloseable {

  private static final int ROOM = 64 * 1024;
  private static final int MAX_ROUNDS = 50;

  final EmbeddedChannel channel;
  final List<String> read = new ArrayList<>();
  private final SSLEngine engine;
  private final ByteArrayOutputStream heard = new ByteArrayOutputStream();
  private byte[] unread = new byte[0];

  /** The bytes that are passed to the channel at once. */
  private int step = Integer.MAX_VALUE;

  TlsPeer(SSLEngine engine) {
    this.engine = engine;
    this.channel = new EmbeddedChannel();
  }

  /** Adds the handlers after TLS. */
  TlsPeer withReader() {
    channel
        .pipeline()
        .addLast(
            new ChannelInboundHandlerAdapter() {
              @Override
              public void channelRead(ChannelHandlerContext ctx, Object message) {
                ByteBuf bytes = (ByteBuf) message;
                read.add(bytes.toString(StandardCharsets.UTF_8));
                bytes.release();
              }
            });
    return this;
  }

  TlsPeer byteAtATime() {
    step = 1;
    return this;
  }

  /** Passes {@code bytes} to the channel, in steps. */
  void send(byte[] bytes) {
    for (int at = 0;
        at < bytes.length && channel.isOpen();
        at += Math.min(step, bytes.length - at)) {
      channel.writeInbound(Unpooled.copiedBuffer(bytes, at, Math.min(step, bytes.length - at)));
    }
  }

  /** Returns the bytes that the peer would send next. */
  byte[] wrapped(String text) throws SSLException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteBuffer from = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    SSLEngineResult result;
    do {
      ByteBuffer to = ByteBuffer.allocate(ROOM);
      result = engine.wrap(from, to);
      out.write(to.array(), 0, to.position());
      runTasks();
    } while ((from.hasRemaining() && result.bytesProduced() > 0)
        || engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP);
    return out.toByteArray();
  }

  /**
   * Exchanges bytes until neither side has any.
   *
   * @throws SSLException when the peer refuses; its last bytes are passed on before
   */
  void exchange() throws SSLException {
    SSLException refused = null;
    boolean quiet = false;
    for (int round = 0; round < MAX_ROUNDS && !quiet; round++) {
      try {
        byte[] sent = wrapped("");
        send(sent);
        quiet = !take() && sent.length == 0;
      } catch (SSLException e) {
        // The engine first throws its reason, and then produces the alert.
        refused = e;
      }
    }
    if (refused != null) {
      throw refused;
    }
  }

  /** Passes the channel's output to the peer. Returns whether there was any. */
  private boolean take() throws SSLException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(unread);
    for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
      byte[] bytes = new byte[out.readableBytes()];
      out.readBytes(bytes);
      out.release();
      all.writeBytes(bytes);
    }
    ByteBuffer from = ByteBuffer.wrap(all.toByteArray());
    boolean some = false;
    while (from.hasRemaining()) {
      ByteBuffer to = ByteBuffer.allocate(ROOM);
      SSLEngineResult result = engine.unwrap(from, to);
      heard.write(to.array(), 0, to.position());
      runTasks();
      some |= result.bytesConsumed() > 0;
      if (result.bytesConsumed() == 0 && result.getHandshakeStatus() != HandshakeStatus.NEED_TASK) {
        break;
      }
    }
    unread = new byte[from.remaining()];
    from.get(unread);
    return some;
  }

  private void runTasks() {
    for (Runnable task = engine.getDelegatedTask();
        task != null;
        task = engine.getDelegatedTask()) {
      task.run();
    }
  }

  /** Returns the text that the peer has received. */
  String heard() {
    return heard.toString(StandardCharsets.UTF_8);
  }

  SSLEngine engine() {
    return engine;
  }

  @Override
  public void close() {
    channel.finishAndReleaseAll();
  }
}
