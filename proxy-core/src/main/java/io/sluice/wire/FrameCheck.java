package io.sluice.wire;

import io.netty.buffer.ByteBuf;

/**
 * The checks of a frame's header that do not depend on whether the frame spans segments.
 *
 * @param framing the connection's framing
 */
record FrameCheck(Framing framing) {

  private static final String SUPPORTED = "3/v3, 4/v4, 5/v5";

  /**
   * Whether the version of the frame that begins at {@code start} is supported.
   *
   * @throws ProtocolError fatal, when the frame has the wrong direction
   */
  boolean isSupported(ByteBuf in, int start) {
    int first = in.getByte(start);
    boolean fromServer = first < 0;
    if (fromServer != (framing.side() == Framing.Side.CLIENT)) {
      throw ProtocolError.fatal("Frame of the wrong direction (first byte " + (first & 0xFF) + ")");
    }
    return ProtocolVersion.isSupported(first & 0x7F);
  }

  /**
   * Returns a Cassandra node's message for an unsupported version. It mentions the beta flag only
   * where the flag is missing.
   */
  static String unsupported(ByteBuf in, int start) {
    int version = in.getByte(start) & 0x7F;
    boolean isBeta = (in.getByte(start + 1) & Frame.FLAG_BETA) != 0;
    return version == ProtocolVersion.MAX + 1 && !isBeta
        ? "Beta version of the protocol used (%d/v%d-beta), but USE_BETA flag is unset"
            .formatted(version, version)
        : "Invalid or unsupported protocol version (%d); supported versions are (%s)"
            .formatted(version, SUPPORTED);
  }

  /**
   * Returns the length of a body.
   *
   * @throws ProtocolError fatal, for an answer of 2 GiB, which no node can send
   */
  long announcedLength(ByteBuf in, int start) {
    long length = in.getUnsignedInt(start + 5);
    if (length > Integer.MAX_VALUE && framing.side() == Framing.Side.CLIENT) {
      throw ProtocolError.fatal(framing.tooLarge(length));
    }
    return length;
  }
}
