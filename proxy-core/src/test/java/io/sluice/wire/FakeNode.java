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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A node on loopback that speaks frames and does what the test says. */
public final class FakeNode implements AutoCloseable {

  /** What the node does with a request that is neither handshake nor heartbeat. */
  public interface Script {
    /**
     * The answer.
     *
     * @param request to be read only
     * @return null for none
     */
    @Nullable Frame answer(Frame request);
  }

  private final EventLoops loops = new EventLoops(1);
  private final Set<Channel> connections = ConcurrentHashMap.newKeySet();
  private final Channel server;

  /** Opcodes of all that came, handshakes and heartbeats left out. */
  public final List<Integer> heard = new CopyOnWriteArrayList<>();

  private volatile Script script = request -> null;
  private volatile Script door = request -> CqlCodec.ready(request.version());
  private volatile boolean hung;

  /** Listens on a free port. */
  public FakeNode() {
    this(pipeline -> {});
  }

  /**
   * The same with something between its connections and its frames.
   *
   * @param first adds it to each connection's pipeline
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
                    Framing.install(channel.pipeline(), Framing.Side.SERVER, 1 << 20);
                    channel.pipeline().addLast(new Connection());
                  }
                })
            .bind(InetAddress.getLoopbackAddress(), 0)
            .syncUninterruptibly()
            .channel();
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return (InetSocketAddress) server.localAddress();
  }

  /** From now on it does this. */
  public FakeNode does(Script next) {
    script = next;
    return this;
  }

  /** From now on it answers STARTUP and AUTH_RESPONSE so; until then it lets everybody in. */
  public FakeNode admits(Script next) {
    door = next;
    return this;
  }

  /** How many connections to it are open. */
  public int connections() {
    return (int) connections.stream().filter(Channel::isActive).count();
  }

  /** From now on it takes connections and says nothing at all. */
  public FakeNode hangs() {
    hung = true;
    return this;
  }

  /** It says again what it has to say. */
  public void recovers() {
    hung = false;
  }

  /** Closes all connections. */
  public @Nullable Frame die() {
    connections.forEach(Channel::close);
    return null;
  }

  /** Nothing listens there any more. */
  @Override
  public void close() {
    if (!server.isOpen()) {
      return;
    }
    server.close().syncUninterruptibly();
    die();
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
      heard.add(request.opcode());
      return script.answer(request);
    }
  }
}
