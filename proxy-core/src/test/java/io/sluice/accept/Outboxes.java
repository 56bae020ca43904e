package io.sluice.accept;

import io.netty.channel.Channel;
import io.netty.channel.embedded.EmbeddedChannel;
import io.sluice.memory.MemoryAccount;
import io.sluice.time.Lane;
import io.sluice.wire.FrameHandlers;
import io.sluice.wire.Framing;
import java.util.function.Consumer;

/** Outboxes of connections that have logged in. */
final class Outboxes {

  private Outboxes() {}

  /** Returns an outbox with this limit on unread bytes. */
  static Outbox of(
      Channel channel,
      ReceiverBacklog backlog,
      Lane lane,
      long limit,
      MemoryAccount memory,
      Consumer<String> disconnect) {
    return new Outbox(
        channel,
        new BacklogWatch(backlog, lane),
        lane,
        new UnreadLimit(lane, limit, limit, disconnect),
        memory,
        FrameHandlers.install(new EmbeddedChannel().pipeline(), Framing.Side.SERVER, 1 << 20));
  }
}
