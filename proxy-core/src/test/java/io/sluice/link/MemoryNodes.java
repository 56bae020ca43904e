package io.sluice.link;

import io.netty.channel.embedded.EmbeddedChannel;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.time.Lane;
import io.sluice.time.TestLane;
import io.sluice.wire.Frame;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Nodes in memory, behind real links: they keep the requests that they are sent, and answer when
 * the test says so. Nodes are numbered from 1, as the last digits of their ids.
 */
public final class MemoryNodes implements Links, AutoCloseable {

  private final TestLane lane;
  private final Map<NodeId, End> ends = new HashMap<>();
  private final Set<NodeId> down = new HashSet<>();

  /** Nodes whose links use this lane and its clock. */
  public MemoryNodes(TestLane lane) {
    this.lane = lane;
  }

  /** One link and its far end. */
  private static final class End {
    private final Queue<Asked> asked = new ArrayDeque<>();
    private final EmbeddedChannel channel;
    private final Link link;

    End(EmbeddedChannel channel, Link link) {
      this.channel = channel;
      this.link = link;
      channel.pipeline().addLast(link);
    }
  }

  /** A request that a node was sent, which it answers at most once. */
  public final class Asked {
    private final EmbeddedChannel channel;
    private final Frame request;

    private Asked(EmbeddedChannel channel, Frame request) {
      this.channel = channel;
      this.request = request;
    }

    /** The request; valid until it is answered. */
    public Frame request() {
      return request;
    }

    /** The node answers with this; takes the frame over. */
    public void answer(Frame answer) {
      channel.pipeline().fireChannelRead(answer.onStream(request.stream()));
      request.release();
      lane.runSoon();
    }

    /** The node never answers it. */
    public void ignore() {
      request.release();
    }
  }

  private static NodeId id(int node) {
    return new NodeId(new UUID(0, node));
  }

  @Override
  public void acquire(Lane on, Node node, LinkKey key, LinkWaiter waiter) {
    if (down.contains(node.id())) {
      on.execute(() -> waiter.failed(LinkFailure.unreachable(node.id() + " is down")));
    } else {
      waiter.ready(ends.computeIfAbsent(node.id(), this::connect).link);
    }
  }

  private End connect(NodeId node) {
    EmbeddedChannel channel = new EmbeddedChannel();
    NodePulse pulse = new NodePulse(node, SilenceWatchTest.QUICK, lane, (each, suspect) -> {});
    Link link = new Link(pulse, 4, channel, lane, lane, SilenceWatchTest.QUICK);
    return new End(channel, link);
  }

  /** No link to it opens from now on, and the one there is breaks. */
  public void dies(int node) {
    down.add(id(node));
    End end = ends.remove(id(node));
    if (end != null) {
      lane.runSoon();
      collect(end);
      end.asked.forEach(Asked::ignore);
      end.channel.close();
      lane.runSoon();
    }
  }

  /** It takes links again. */
  public void comesBack(int node) {
    down.remove(id(node));
  }

  /** The next request that a node was sent; null when there is none. */
  public @Nullable Asked next(int node) {
    lane.runSoon();
    End end = ends.get(id(node));
    if (end == null) {
      return null;
    }
    collect(end);
    return end.asked.poll();
  }

  private void collect(End end) {
    for (Frame next = end.channel.readOutbound(); next != null; next = end.channel.readOutbound()) {
      end.asked.add(new Asked(end.channel, next));
    }
  }

  @Override
  public void close() {
    ends.values()
        .forEach(
            end -> {
              collect(end);
              end.asked.forEach(Asked::ignore);
              end.channel.close();
            });
  }
}
