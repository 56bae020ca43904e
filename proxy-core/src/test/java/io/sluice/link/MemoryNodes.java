package io.sluice.link;

import io.netty.channel.embedded.EmbeddedChannel;
import io.sluice.link.Link.LinkWaiter;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.time.Lane;
import io.sluice.time.TestLane;
import io.sluice.wire.Frame;
import io.sluice.wire.Opcode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Embedded nodes behind real links. They record their requests, and respond when the test says so.
 * Nodes are numbered from 1, which is the end of their ids.
 */
public final class MemoryNodes implements Links, AutoCloseable {

  private final TestLane lane;
  private final Map<NodeId, End> ends = new HashMap<>();
  private final Map<NodeId, LinkFailure> refusals = new HashMap<>();
  private final Map<NodeId, List<LinkWaiter>> connecting = new HashMap<>();

  /** Creates nodes whose links use this lane and its clock. */
  public MemoryNodes(TestLane lane) {
    this.lane = lane;
  }

  /** A link and the node's end of it. */
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

  /** A request to a node, which responds at most once. */
  public final class Asked {
    private final EmbeddedChannel channel;
    private final Frame request;

    private Asked(EmbeddedChannel channel, Frame request) {
      this.channel = channel;
      this.request = request;
    }

    /** Returns the request, valid until the node responds. */
    public Frame request() {
      return request;
    }

    /** Sends this response and takes ownership of the frame. */
    public void answer(Frame answer) {
      channel.pipeline().fireChannelRead(answer.onStream(request.stream()));
      request.release();
      lane.runSoon();
    }

    /** Drops the request without a response. */
    public void ignore() {
      request.release();
    }
  }

  private static NodeId id(int node) {
    return new NodeId(new UUID(0, node));
  }

  @Override
  public void acquire(Lane on, Node node, LinkKey key, LinkWaiter waiter) {
    LinkFailure refusal = refusals.get(node.id());
    List<LinkWaiter> waiters = connecting.get(node.id());
    if (refusal != null) {
      on.execute(() -> waiter.failed(refusal));
    } else if (waiters != null) {
      waiters.add(waiter);
    } else {
      waiter.ready(ends.computeIfAbsent(node.id(), this::connect).link);
    }
  }

  private End connect(NodeId node) {
    EmbeddedChannel channel = new EmbeddedChannel();
    NodePulse pulse = new NodePulse(node, SilenceWatchTest.QUICK, lane, (each, suspect) -> {});
    Link link = new Link(pulse, 4, channel, lane, lane, SilenceWatchTest.QUICK, bytes -> {});
    return new End(channel, link);
  }

  /** Breaks the node's link and lets none open from now on. */
  public void dies(int node) {
    refuses(node, LinkFailure.unreachable(id(node) + " is down"));
    End end = ends.remove(id(node));
    if (end != null) {
      lane.runSoon();
      collect(end);
      end.asked.forEach(Asked::ignore);
      end.channel.close();
      lane.runSoon();
    }
  }

  /** Lets no link to a node open from now on. */
  public void refuses(int node, LinkFailure refusal) {
    refusals.put(id(node), refusal);
  }

  /** Accepts links again. */
  public void comesBack(int node) {
    refusals.remove(id(node));
  }

  /** Lets links to a node wait for their connection from now on. */
  public void acceptsNothing(int node) {
    connecting.put(id(node), new ArrayList<>());
  }

  /** Reports a node as silent to the requests that wait for it or for a link to it. */
  public void isSilent(int node) {
    List.copyOf(connecting.getOrDefault(id(node), List.of())).forEach(LinkWaiter::silent);
    End end = ends.get(id(node));
    if (end != null) {
      lane.pass(SilenceWatchTest.QUICK.suspectAfter().toMillis() + 1);
      end.link.checkSilence();
      end.link.checkSilence();
    }
    lane.runSoon();
  }

  /** Returns the next request to a node; null when there is none. */
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
      if (next.opcode() == Opcode.OPTIONS) {
        next.release();
      } else {
        end.asked.add(new Asked(end.channel, next));
      }
    }
  }

  /** Drops all requests that the test has not taken, without a response. */
  public void ignoreAll() {
    for (End end : ends.values()) {
      collect(end);
      end.asked.forEach(Asked::ignore);
      end.asked.clear();
    }
  }

  @Override
  public void close() {
    ignoreAll();
    ends.values().forEach(end -> end.channel.close());
  }
}
