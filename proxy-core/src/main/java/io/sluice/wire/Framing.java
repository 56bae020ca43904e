package io.sluice.wire;

import com.datastax.oss.driver.internal.core.protocol.ByteBufPrimitiveCodec;
import com.datastax.oss.protocol.internal.SegmentCodec;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelPipeline;
import org.jspecify.annotations.Nullable;

/**
 * The framing of one connection, shared by its reader and its writer: plain frames until the
 * handshake's READY or AUTHENTICATE, and from there on, in v5, segments in both directions. Used by
 * the connection's event loop only.
 */
public final class Framing {

  /** Which end of the connection this process is. */
  public enum Side {
    /** Reads requests, writes responses. */
    SERVER,
    /** Writes requests, reads responses. */
    CLIENT
  }

  private final Side side;
  private final int maxFrameBytes;
  private int frameLimit;
  private int unfinishedBytes;
  private Compression compression = Compression.NONE;
  private @Nullable SegmentCodec<ByteBuf> segments;

  private Framing(Side side, int maxFrameBytes) {
    this.side = side;
    this.maxFrameBytes = maxFrameBytes;
    this.frameLimit = maxFrameBytes;
  }

  /**
   * Adds the handlers that turn bytes into {@link Frame}s and back.
   *
   * @param maxFrameBytes a longer frame, compressed or not, is refused
   */
  public static Framing install(ChannelPipeline pipeline, Side side, int maxFrameBytes) {
    Framing framing = new Framing(side, maxFrameBytes);
    pipeline.addLast("frame-reader", new FrameReader(framing));
    pipeline.addLast("frame-writer", new FrameWriter(framing));
    return framing;
  }

  /** What the STARTUP agreed on; holds for all that follows it. */
  public void compression(Compression agreed) {
    this.compression = agreed;
  }

  Compression compression() {
    return compression;
  }

  Side side() {
    return side;
  }

  /**
   * Refuses longer frames than this until {@link #loggedIn}; for what has not proved anything yet.
   */
  public void limitBeforeLogin(int bytes) {
    frameLimit = Math.min(bytes, maxFrameBytes);
  }

  /** Frames may be as long as is configured. */
  public void loggedIn() {
    frameLimit = maxFrameBytes;
  }

  /** Whether the other end has not proved anything yet. */
  boolean isBeforeLogin() {
    return frameLimit < maxFrameBytes;
  }

  /** The longest frame that is read at present. */
  int frameLimit() {
    return frameLimit;
  }

  /** Why a frame of so many bytes is refused. */
  String tooLarge(long bytes) {
    return isBeforeLogin()
        ? "Frame of %d bytes is larger than a frame may be before login (%d)"
            .formatted(bytes, frameLimit)
        : "Frame of %d bytes is larger than cql.maxFrameBytes (%d)".formatted(bytes, frameLimit);
  }

  /** The memory of what has arrived of a frame or segment, of which more is to come. */
  public int unfinishedBytes() {
    return unfinishedBytes;
  }

  void unfinishedBytes(int bytes) {
    unfinishedBytes = bytes;
  }

  /** Null while frames travel plain. */
  @Nullable SegmentCodec<ByteBuf> segments() {
    return segments;
  }

  /** Called with each frame that ends the plain part of a handshake, in the order of the wire. */
  void passed(int version, int opcode, ByteBufAllocator allocator) {
    if (segments == null
        && version >= ProtocolVersion.SEGMENTS
        && (opcode == Opcode.READY || opcode == Opcode.AUTHENTICATE)) {
      segments = new SegmentCodec<>(new ByteBufPrimitiveCodec(allocator), compression.compressor());
    }
  }
}
