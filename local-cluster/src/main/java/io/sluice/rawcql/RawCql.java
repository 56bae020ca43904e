package io.sluice.rawcql;

import com.datastax.oss.protocol.internal.Compressor;
import com.datastax.oss.protocol.internal.Frame;
import com.datastax.oss.protocol.internal.FrameCodec;
import com.datastax.oss.protocol.internal.Message;
import com.datastax.oss.protocol.internal.ProtocolConstants;
import com.datastax.oss.protocol.internal.request.AuthResponse;
import com.datastax.oss.protocol.internal.request.Execute;
import com.datastax.oss.protocol.internal.request.Prepare;
import com.datastax.oss.protocol.internal.request.Query;
import com.datastax.oss.protocol.internal.request.Startup;
import com.datastax.oss.protocol.internal.request.query.QueryOptions;
import com.datastax.oss.protocol.internal.response.AuthSuccess;
import com.datastax.oss.protocol.internal.response.Authenticate;
import com.datastax.oss.protocol.internal.response.Error;
import com.datastax.oss.protocol.internal.response.Ready;
import com.datastax.oss.protocol.internal.response.result.Prepared;
import com.datastax.oss.protocol.internal.response.result.Rows;
import io.netty.buffer.ByteBuf;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * A blocking connection with one request at a time. Unlike a full driver, it adds almost nothing to
 * the time of a request. Not safe for several threads.
 */
public final class RawCql implements Closeable {
  private final Socket socket;
  private final int version;
  private final FrameCodec<ByteBuf> codec;
  private Transport transport;

  private RawCql(Socket socket, int version) throws IOException {
    this.socket = socket;
    this.version = version;
    this.codec = FrameCodec.defaultClient(new HeapCodec(), Compressor.none());
    this.transport = new PlainTransport(socket.getInputStream(), socket.getOutputStream());
  }

  /**
   * Connects and makes the connection ready for queries.
   *
   * @param version protocol version, 3 to 5
   * @param timeoutMillis timeout of the connect and of each response
   * @param user used only if the node requires a login
   * @throws IOException when the node does not exist, is silent, or refuses; the message says which
   */
  public static RawCql connect(
      InetSocketAddress address, int version, int timeoutMillis, String user, String password)
      throws IOException {
    Socket socket = new Socket();
    try {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(timeoutMillis);
      socket.connect(address, timeoutMillis);
      RawCql cql = new RawCql(socket, version);
      cql.startup(user, password);
      return cql;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /** Runs one statement and returns its rows; none if the result has no rows. */
  public List<List<ByteBuffer>> query(String statement, int consistency) throws IOException {
    Message answer = ask(new Query(statement, options(consistency, List.of())));
    return answer instanceof Rows rows ? List.copyOf(rows.getData()) : List.of();
  }

  /** Prepares a statement. The request may be executed on this connection repeatedly. */
  public Request prepare(String statement, int consistency, List<ByteBuffer> values)
      throws IOException {
    return prepareEach(statement, consistency, List.of(values)).get(0);
  }

  /** Prepares a statement once, and creates a request for each list of values. */
  public List<Request> prepareEach(String statement, int consistency, List<List<ByteBuffer>> values)
      throws IOException {
    if (!(ask(new Prepare(statement)) instanceof Prepared prepared)) {
      throw new IOException("PREPARE was not answered with a prepared statement");
    }
    byte[] id = prepared.preparedQueryId;
    byte[] resultId = prepared.resultMetadataId;
    return values.stream()
        .map(each -> new Request(frame(new Execute(id, resultId, options(consistency, each)))))
        .toList();
  }

  /**
   * Hands the connection over to a pipeline. It must not be used otherwise afterwards.
   *
   * @param requests requests that were prepared here; sent in turn
   * @param inFlight number of requests in flight, from 1 to 32 768
   */
  public Pipeline pipeline(List<Request> requests, int inFlight) throws IOException {
    Batching batching = version >= 5 ? new SegmentBatching() : Batching.plain();
    RequestCycle cycle =
        new RequestCycle(
            requests.stream().map(each -> codec.encode(each.frame)).toList(),
            batching,
            socket.getOutputStream());
    return new Pipeline(this, socket.getInputStream(), batching, cycle, this::decode, inFlight);
  }

  /**
   * Sends a prepared request and waits for its response. Checks that the response is a result, but
   * does not decode it further.
   */
  public void execute(Request request) throws IOException {
    ByteBuf sent = codec.encode(request.frame);
    ByteBuf answer = transport.exchange(sent);
    if (PlainTransport.opcode(answer) != ProtocolConstants.Opcode.RESULT) {
      decode(answer);
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  private void startup(String user, String password) throws IOException {
    Message answer = ask(new Startup(Map.of("CQL_VERSION", "3.0.0")));
    if (version >= 5) {
      transport = new SegmentTransport(socket.getInputStream(), socket.getOutputStream());
    }
    if (answer instanceof Authenticate) {
      String token = "\0" + user + "\0" + password;
      answer = ask(new AuthResponse(ByteBuffer.wrap(token.getBytes(StandardCharsets.UTF_8))));
    }
    if (!(answer instanceof Ready) && !(answer instanceof AuthSuccess)) {
      throw new IOException("the node did not accept the connection: " + answer);
    }
  }

  private Message ask(Message request) throws IOException {
    return decode(transport.exchange(codec.encode(frame(request))));
  }

  private Frame frame(Message request) {
    return Frame.forRequest(version, 1, false, Frame.NO_PAYLOAD, request);
  }

  private Message decode(ByteBuf bytes) throws IOException {
    Message message = codec.decode(bytes).message;
    if (message instanceof Error error) {
      throw new ErrorResponse(error.message, error.code);
    }
    return message;
  }

  private static QueryOptions options(int consistency, List<ByteBuffer> values) {
    return new QueryOptions(
        consistency,
        values,
        Map.of(),
        true,
        5000,
        null,
        ProtocolConstants.ConsistencyLevel.SERIAL,
        QueryOptions.NO_DEFAULT_TIMESTAMP,
        null,
        QueryOptions.NO_NOW_IN_SECONDS);
  }

  /** A prepared statement with its values, for the connection that prepared it. */
  public static final class Request {
    private final Frame frame;

    private Request(Frame frame) {
      this.frame = frame;
    }
  }
}
