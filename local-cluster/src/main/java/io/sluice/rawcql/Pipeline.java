package io.sluice.rawcql;

import com.datastax.oss.protocol.internal.ProtocolConstants;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One connection that keeps many requests under way, blocking. It takes prepared requests in turn
 * and checks of each answer that it is a result; the requests that follow the answers of one read
 * leave in one write, as a driver's would. Not safe for several threads.
 */
public final class Pipeline implements Closeable {
  private static final int READ_BYTES = 256 * 1024;
  private static final int STREAM_AT = 2;

  private final Closeable connection;
  private final InputStream in;
  private final OutputStream out;
  private final Batching batching;
  private final List<ByteBuf> requests;
  private final long[] sentAt;
  private final ByteBuf arrived = Unpooled.buffer(2 * READ_BYTES);
  private final ByteBuf leaving = Unpooled.buffer(READ_BYTES);
  private int next;
  private int underWay;
  private long now;
  private boolean ending;
  private @Nullable LongConsumer nanos;

  /**
   * Uses the streams of a connection that is ready for requests.
   *
   * @param requests whole frames, taken in turn; not empty
   * @param inFlight requests under way at once, from 1 to 32 768
   */
  Pipeline(
      Closeable connection,
      InputStream in,
      OutputStream out,
      Batching batching,
      List<ByteBuf> requests,
      int inFlight) {
    this.connection = connection;
    this.in = in;
    this.out = out;
    this.batching = batching;
    this.requests = requests;
    this.sentAt = new long[inFlight];
  }

  /**
   * Sends requests for a time, and then waits for the answers that are still to come.
   *
   * @param duration in ns
   * @param took is given the time of each answered request, in ns
   * @throws IOException when an answer is no result or the connection fails
   */
  public void run(long duration, LongConsumer took) throws IOException {
    nanos = took;
    ending = false;
    long end = System.nanoTime() + duration;
    now = System.nanoTime();
    for (int stream = 0; stream < sentAt.length; stream++) {
      ask(stream);
    }
    flush();
    while (underWay > 0) {
      read();
      now = System.nanoTime();
      ending = now - end >= 0;
      batching.decode(arrived, this::answered);
      arrived.discardReadBytes();
      flush();
    }
  }

  private void ask(int stream) {
    sentAt[stream] = now;
    underWay++;
    int at = leaving.writerIndex();
    ByteBuf request = requests.get(next);
    leaving.writeBytes(request, request.readerIndex(), request.readableBytes());
    leaving.setShort(at + STREAM_AT, stream);
    next = (next + 1) % requests.size();
  }

  private void flush() throws IOException {
    if (leaving.isReadable()) {
      batching.write(leaving, out);
      leaving.clear();
    }
  }

  private void read() throws IOException {
    if (arrived.writeBytes(in, READ_BYTES) < 0) {
      throw new IOException("the node closed the connection");
    }
  }

  private void answered(ByteBuf frames, int at) throws IOException {
    int opcode = PlainTransport.opcode(frames.slice(at, PlainTransport.HEADER));
    if (opcode != ProtocolConstants.Opcode.RESULT) {
      throw new IOException("a request was answered with opcode " + opcode);
    }
    int stream = frames.getShort(at + STREAM_AT);
    LongConsumer consumer = nanos;
    if (consumer != null) {
      consumer.accept(now - sentAt[stream]);
    }
    underWay--;
    if (!ending) {
      ask(stream);
    }
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}
