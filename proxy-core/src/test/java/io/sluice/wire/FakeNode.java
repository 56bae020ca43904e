package io.sluice.wire;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A fake node on loopback that handles frames as the test says. */
public final class FakeNode implements AutoCloseable {

  /** The node's behaviour for a request that is neither handshake nor heartbeat. */
  public interface Script {
    /**
     * Returns the response.
     *
     * @param request the request; must not be released
     * @return null for no response
     */
    @Nullable Frame answer(Frame request);
  }

  private final EventLoops loops = new EventLoops(1);
  private final Set<Channel> connections = ConcurrentHashMap.newKeySet();
  private final Channel server;

  /** The opcodes of all received requests, without handshakes and heartbeats. */
  public final List<Integer> heard = new CopyOnWriteArrayList<>();

  private volatile Script script = request -> null;
  private volatile Script door = request -> CqlCodec.ready(request.version());
  private volatile UUID hostId = new UUID(0, 1);
  private volatile boolean hung;

  /** Starts a node on a free port. */
  public FakeNode() {
    this(pipeline -> {});
  }

  /**
   * Starts a node with a handler between its connections and its frames.
   *
   * @param first adds the handler to each connection's pipeline
   */
  public FakeNode(Consumer<ChannelPipeline> first) {
    server =
        loops
            .forClients()
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    connections.add(channel);
                    first.accept(channel.pipeline());
                    FrameHandlers.install(channel.pipeline(), Framing.Side.SERVER, 1 << 20);
                    channel.pipeline().addLast(new Connection());
                  }
                })
            .bind(InetAddress.getLoopbackAddress(), 0)
            .syncUninterruptibly()
            .channel();
  }

  /** Returns the address at which the node listens. */
  public InetSocketAddress address() {
    return (InetSocketAddress) server.localAddress();
  }

  /** Sets the behaviour from now on. */
  public FakeNode does(Script next) {
    script = next;
    return this;
  }

  /**
   * Sets the responses to STARTUP and AUTH_RESPONSE from now on. Until then every client may log
   * in.
   */
  public FakeNode admits(Script next) {
    door = next;
    return this;
  }

  /** Sets the node's host id from now on. Until then it is that of the first node of a test. */
  public FakeNode identified(UUID as) {
    hostId = as;
    return this;
  }

  /** Returns how many connections to the node are open. */
  public int connections() {
    return (int) connections.stream().filter(Channel::isActive).count();
  }

  /** Makes the node accept connections and send nothing from now on. */
  public FakeNode hangs() {
    hung = true;
    return this;
  }

  /** Makes the node respond again. */
  public void recovers() {
    hung = false;
  }

  /** Closes all connections. */
  public @Nullable Frame die() {
    connections.forEach(Channel::close);
    return null;
  }

  /** Stops listening. */
  @Override
  public void close() {
    if (!server.isOpen()) {
      return;
    }
    server.close().syncUninterruptibly();
    // No request that is sent from here on is answered.
    connections.forEach(each -> each.close().syncUninterruptibly());
    loops.close();
  }

  private final class Connection extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      if (message instanceof Frame request) {
        Frame answer = hung ? null : answer(request);
        if (answer != null) {
          ctx.writeAndFlush(answer.onStream(request.stream()));
        }
        request.release();
      }
    }

    private @Nullable Frame answer(Frame request) {
      if (request.opcode() == Opcode.STARTUP || request.opcode() == Opcode.AUTH_RESPONSE) {
        return door.answer(request);
      }
      if (request.opcode() == Opcode.OPTIONS) {
        return CqlCodec.supported(request.version(), Map.of());
      }
      if (TestFrames.asksForHostId(request)) {
        return TestFrames.hostId(request.version(), hostId);
      }
      heard.add(request.opcode());
      return script.answer(request);
    }
  }
}
