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
 * A blocking connection with many requests in flight. Sends prepared requests in turn and checks
 * that each response is a result. Requests that follow the responses of one read are sent in one
 * write, as by a driver. Not safe for several threads.
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
  private final ByteBuf received = Unpooled.buffer(2 * READ_BYTES);
  private final ByteBuf outgoing = Unpooled.buffer(READ_BYTES);
  private int next;
  private int inFlight;
  private long now;
  private boolean ending;
  private @Nullable LongConsumer nanos;

  /**
   * Creates a pipeline on a connection that is ready for requests.
   *
   * @param requests whole frames, sent in turn; not empty
   * @param inFlight number of requests in flight, from 1 to 32 768
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
   * Sends requests for a time, and then waits for the remaining responses.
   *
   * @param duration in ns
   * @param took receives the time of each request, in ns
   * @throws IOException when a response is not a result or the connection fails
   */
  public void run(long duration, LongConsumer took) throws IOException {
    nanos = took;
    ending = false;
    long end = System.nanoTime() + duration;
    now = System.nanoTime();
    for (int stream = 0; stream < sentAt.length; stream++) {
      send(stream);
    }
    flush();
    while (inFlight > 0) {
      read();
      now = System.nanoTime();
      ending = now - end >= 0;
      batching.decode(received, this::onResponse);
      received.discardReadBytes();
      flush();
    }
  }

  private void send(int stream) {
    sentAt[stream] = now;
    inFlight++;
    int at = outgoing.writerIndex();
    ByteBuf request = requests.get(next);
    outgoing.writeBytes(request, request.readerIndex(), request.readableBytes());
    outgoing.setShort(at + STREAM_AT, stream);
    next = (next + 1) % requests.size();
  }

  private void flush() throws IOException {
    if (outgoing.isReadable()) {
      batching.write(outgoing, out);
      outgoing.clear();
    }
  }

  private void read() throws IOException {
    if (received.writeBytes(in, READ_BYTES) < 0) {
      throw new IOException("the node closed the connection");
    }
  }

  private void onResponse(ByteBuf frames, int at) throws IOException {
    int opcode = PlainTransport.opcode(frames.slice(at, PlainTransport.HEADER));
    if (opcode != ProtocolConstants.Opcode.RESULT) {
      throw new IOException("a request was answered with opcode " + opcode);
    }
    int stream = frames.getShort(at + STREAM_AT);
    LongConsumer consumer = nanos;
    if (consumer != null) {
      consumer.accept(now - sentAt[stream]);
    }
    inFlight--;
    if (!ending) {
      send(stream);
    }
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}
