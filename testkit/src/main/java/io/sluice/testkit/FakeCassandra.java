package io.sluice.testkit;

import com.datastax.oss.driver.internal.core.protocol.ByteBufPrimitiveCodec;
import com.datastax.oss.protocol.internal.Compressor;
import com.datastax.oss.protocol.internal.Frame;
import com.datastax.oss.protocol.internal.FrameCodec;
import com.datastax.oss.protocol.internal.Message;
import com.datastax.oss.protocol.internal.ProtocolConstants;
import com.datastax.oss.protocol.internal.request.Options;
import com.datastax.oss.protocol.internal.request.Query;
import com.datastax.oss.protocol.internal.request.Register;
import com.datastax.oss.protocol.internal.response.Error;
import com.datastax.oss.protocol.internal.response.Ready;
import com.datastax.oss.protocol.internal.response.Supported;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A fake node on loopback, which the Java driver takes for a cluster of one Cassandra node with
 * protocol v4. It has its own row in {@code system.local}, keyspaces, tables of one column, and
 * schema events that the test sends. It accepts every client. Safe for any thread.
 */
public final class FakeCassandra implements AutoCloseable {

  private static final int VERSION = 4;
  private static final int HEADER = 9;

  private final ServerSocket server;
  private final Thread acceptor;
  private final FrameCodec<ByteBuf> codec =
      FrameCodec.defaultServer(
          new ByteBufPrimitiveCodec(UnpooledByteBufAllocator.DEFAULT), Compressor.none());
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final Set<Socket> registered = ConcurrentHashMap.newKeySet();
  private final FakeTables tables;
  private volatile Requests requests = request -> null;

  /** Serves requests that the node itself does not know, such as those to tables of a test. */
  public interface Requests {
    /** Returns the response; null if the node itself has one. */
    @Nullable Message answer(Message request);
  }

  /**
   * Creates a node that serves at once, until it is closed.
   *
   * @param port its CQL port; 0 for any free port
   * @throws IOException if the port is taken
   */
  public FakeCassandra(UUID hostId, String datacenter, int port) throws IOException {
    this(hostId, datacenter, port, new ServerSocket());
  }

  /**
   * Creates a node with a socket that is not bound yet, such as a TLS socket.
   *
   * @throws IOException if the port is taken
   */
  public FakeCassandra(UUID hostId, String datacenter, int port, ServerSocket server)
      throws IOException {
    this.server = server;
    server.setReuseAddress(true);
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    this.tables = new FakeTables(hostId, datacenter, server.getLocalPort());
    this.acceptor = start(this::accept);
  }

  /** Returns the address at which it listens. */
  public InetSocketAddress address() {
    return (InetSocketAddress) server.getLocalSocketAddress();
  }

  /** Adds a keyspace, without an event. */
  public void add(String keyspace) {
    tables.add(keyspace);
  }

  /** Adds a table named t to a keyspace, without an event. */
  public void addTable(String keyspace, UUID id) {
    tables.addTable(keyspace, id);
  }

  /** Adds a node to {@code system.peers_v2}, which exists from the first one on. */
  public void addPeer(FakeCassandra peer) {
    tables.addPeer(peer.tables);
  }

  /** Changes the name of the cluster, as this node has it. */
  public void rename(String cluster) {
    tables.rename(cluster);
  }

  /** Gives the node another token, without an event. */
  public void move(String newToken) {
    tables.move(newToken);
  }

  /** Adds an entry to {@code system_views.settings}, which exists from the first entry on. */
  public void configure(String name, String value) {
    tables.configure(name, value);
  }

  /** Serves further requests, before those that the node itself knows. */
  public void serve(Requests further) {
    requests = further;
  }

  /**
   * Sends a message to all registered connections, without a request for it; a driver registers
   * one.
   *
   * @param stream the stream id, −1 for an event
   */
  public void send(int stream, Message message) {
    for (Socket each : registered) {
      try {
        send(each, stream, message);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static Thread start(Runnable task) {
    Thread thread = new Thread(task, "fake-cassandra");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = server.accept();
        sockets.add(socket);
        start(() -> serve(socket));
      }
    } catch (IOException closed) {
      // The test has ended, or the node was closed.
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      while (true) {
        byte[] header = in.readNBytes(HEADER);
        if (header.length < HEADER) {
          return;
        }
        ByteBuf fields = Unpooled.wrappedBuffer(header);
        byte[] body = in.readNBytes(fields.getInt(5));
        if (header[0] > VERSION) {
          send(socket, fields.getShort(2), unsupported(header[0]));
        } else {
          Frame request = codec.decode(Unpooled.wrappedBuffer(header, body));
          if (request.message instanceof Register) {
            registered.add(socket);
          }
          send(socket, request.streamId, answer(request.message));
        }
      }
    } catch (IOException closed) {
      // As above.
    } finally {
      registered.remove(socket);
    }
  }

  private static Error unsupported(int version) {
    return new Error(
        ProtocolConstants.ErrorCode.PROTOCOL_ERROR,
        "Invalid or unsupported protocol version (" + version + ")");
  }

  private void send(Socket socket, int stream, Message message) throws IOException {
    ByteBuf frame =
        codec.encode(
            Frame.forResponse(VERSION, stream, null, Frame.NO_PAYLOAD, List.of(), message));
    try {
      synchronized (socket) {
        socket.getOutputStream().write(ByteBufUtil.getBytes(frame));
      }
    } finally {
      frame.release();
    }
  }

  private Message answer(Message request) {
    Message further = requests.answer(request);
    if (further != null) {
      return further;
    } else if (request instanceof Options) {
      return new Supported(Map.of("CQL_VERSION", List.of("3.4.7")));
    } else if (request instanceof Query query) {
      return tables.rows(query.query);
    }
    return new Ready();
  }

  @Override
  public void close() throws IOException {
    server.close();
    try {
      // The port is free when no thread accepts at it any more.
      acceptor.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    for (Socket each : sockets) {
      each.close();
    }
  }
}
