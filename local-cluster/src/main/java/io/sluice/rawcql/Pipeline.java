package io.sluice.rawcql;

import com.datastax.oss.protocol.internal.ProtocolConstants;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A blocking connection with many requests in flight. Sends prepared requests in turn and checks
 * that each response is a result. Requests that follow the responses of one read are sent in one
 * write, as by a driver. Not safe for several threads.
 */
public final class Pipeline implements Closeable {
  private static final int READ_BYTES = 256 * 1024;

  private final Closeable connection;
  private final InputStream in;
  private final Batching batching;
  private final RequestCycle requests;
  private final Errors errors;
  private final long[] sentAt;
  private final ByteBuf received = Unpooled.buffer(2 * READ_BYTES);
  private int inFlight;
  private long now;
  private boolean ending;
  private @Nullable LongConsumer nanos;

  /** The decoder of responses that are no results. */
  interface Errors {
    /** Throws the response as an {@link ErrorResponse} if it is an error. */
    void check(ByteBuf frame) throws IOException;
  }

  /**
   * Creates a pipeline on a connection that is ready for requests.
   *
   * @param batching divides the received bytes into frames
   * @param inFlight number of requests in flight, from 1 to 32 768
   */
  Pipeline(
      Closeable connection,
      InputStream in,
      Batching batching,
      RequestCycle requests,
      Errors errors,
      int inFlight) {
    this.connection = connection;
    this.in = in;
    this.batching = batching;
    this.requests = requests;
    this.errors = errors;
    this.sentAt = new long[inFlight];
  }

  /**
   * Sends requests for a time, and then waits for the remaining responses.
   *
   * @param duration in ns
   * @param took receives the time of each request, in ns
   * @throws ErrorResponse when a response is an error
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
    requests.flush();
    while (inFlight > 0) {
      read();
      now = System.nanoTime();
      ending = now - end >= 0;
      batching.decode(received, this::onResponse);
      received.discardReadBytes();
      requests.flush();
    }
  }

  private void send(int stream) {
    sentAt[stream] = now;
    inFlight++;
    requests.add(stream);
  }

  private void read() throws IOException {
    if (received.writeBytes(in, READ_BYTES) < 0) {
      throw new IOException("the node closed the connection");
    }
  }

  private void onResponse(ByteBuf frames, int at) throws IOException {
    int opcode = PlainTransport.opcode(frames.slice(at, PlainTransport.HEADER));
    if (opcode != ProtocolConstants.Opcode.RESULT) {
      ByteBuf rest = frames.slice(at, frames.writerIndex() - at);
      errors.check(rest.copy(0, PlainTransport.length(rest)));
      throw new IOException("a request was answered with opcode " + opcode);
    }
    int stream = RequestCycle.stream(frames, at);
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
