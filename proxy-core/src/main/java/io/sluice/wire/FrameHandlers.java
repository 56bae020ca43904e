package io.sluice.wire;

import io.netty.channel.ChannelPipeline;

/** The handlers of a pipeline that turn bytes into {@link Frame}s and back. */
public final class FrameHandlers {

  private FrameHandlers() {}

  /**
   * Adds the handlers.
   *
   * @param maxFrameBytes a longer frame, compressed or not, is refused
   * @return the framing of the connection
   */
  public static Framing install(ChannelPipeline pipeline, Framing.Side side, int maxFrameBytes) {
    Framing framing = new Framing(side, maxFrameBytes);
    pipeline.addLast("frame-reader", new FrameReader(framing));
    pipeline.addLast("frame-writer", new FrameWriter(framing));
    return framing;
  }
}
