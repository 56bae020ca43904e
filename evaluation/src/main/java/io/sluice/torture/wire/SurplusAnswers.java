package io.sluice.torture.wire;

import com.datastax.oss.protocol.internal.Frame;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import java.util.BitSet;
import java.util.function.Consumer;

/**
 * Reports the answers on one connection of the driver that belong to no request in flight, such as
 * a second answer to a request. The driver drops them silently. Not safe for several threads.
 */
final class SurplusAnswers extends ChannelDuplexHandler {
  private final Consumer<String> report;
  private final BitSet inFlight = new BitSet();

  /** Creates a handler, which belongs between the frames and the driver's requests in flight. */
  SurplusAnswers(Consumer<String> report) {
    this.report = report;
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise)
      throws Exception {
    if (message instanceof Frame request) {
      inFlight.set(request.streamId);
    }
    super.write(context, message, promise);
  }

  /** Events of nodes have a negative stream id, and no request. */
  @Override
  public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
    if (message instanceof Frame answer && answer.streamId >= 0) {
      if (!inFlight.get(answer.streamId)) {
        report.accept("stream " + answer.streamId + ": " + answer.message);
      }
      inFlight.clear(answer.streamId);
    }
    super.channelRead(context, message);
  }
}
