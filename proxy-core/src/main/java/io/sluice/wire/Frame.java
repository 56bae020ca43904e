package io.sluice.wire;

import io.netty.buffer.ByteBuf;

/**
 * A protocol frame ("envelope" in v5): a header of nine bytes and an uncompressed body, in one
 * buffer that this object owns. The receiver of a frame either passes it on or releases it, once.
 * Header fields are changed in place, so bodies are forwarded without being copied or read. Not
 * safe for several threads.
 */
public final class Frame {

  static final int HEADER_LENGTH = 9;
  static final int FLAG_COMPRESSED = 0x01;
  static final int FLAG_TRACING = 0x02;
  static final int FLAG_PAYLOAD = 0x04;
  static final int FLAG_WARNING = 0x08;
  static final int FLAG_BETA = 0x10;

  /** A waiting frame may retain memory of up to this multiple of its own length. */
  private static final int LARGEST_WASTE = 2;

  private static final int RESPONSE = 0x80;
  private static final int STREAM_AT = 2;
  private static final int OPCODE_AT = 4;
  private static final int LENGTH_AT = 5;

  private final ByteBuf envelope;

  /** Whether the buffer was released or passed on. */
  private boolean gone;

  /**
   * Takes ownership of {@code envelope}, whose readable bytes are exactly one header and its body.
   */
  Frame(ByteBuf envelope) {
    this.envelope = envelope;
  }

  /**
   * Takes ownership of {@code envelope}: nine bytes for the header, which this method fills, and
   * the body.
   */
  static Frame response(ByteBuf envelope, int version, int stream, int opcode) {
    return new Frame(fillHeader(envelope, version | RESPONSE, stream, opcode));
  }

  /**
   * Takes ownership of {@code envelope}: nine bytes for the header, which this method fills, and
   * the body.
   */
  static Frame request(ByteBuf envelope, int version, int stream, int opcode) {
    return new Frame(fillHeader(envelope, version, stream, opcode));
  }

  private static ByteBuf fillHeader(ByteBuf to, int version, int stream, int opcode) {
    return to.setByte(0, version)
        .setByte(1, 0)
        .setShort(STREAM_AT, stream)
        .setByte(OPCODE_AT, opcode)
        .setInt(LENGTH_AT, to.readableBytes() - HEADER_LENGTH);
  }

  private int at(int offset) {
    return envelope.readerIndex() + offset;
  }

  /** Returns the protocol version, without the direction bit. */
  public int version() {
    return envelope.getByte(at(0)) & 0x7F;
  }

  int flags() {
    return envelope.getByte(at(1));
  }

  boolean has(int flag) {
    return (flags() & flag) != 0;
  }

  /** Whether the client asked for this request to be traced. */
  public boolean tracing() {
    return has(FLAG_TRACING);
  }

  public int stream() {
    return envelope.getShort(at(STREAM_AT));
  }

  public int opcode() {
    return envelope.getByte(at(OPCODE_AT));
  }

  /** Returns the length of header and body, in bytes. */
  public int length() {
    return envelope.readableBytes();
  }

  public int bodyLength() {
    return envelope.readableBytes() - HEADER_LENGTH;
  }

  /** Sets the stream id in this frame's header, and returns this frame. */
  public Frame onStream(int stream) {
    envelope.setShort(at(STREAM_AT), stream);
    return this;
  }

  void setFlags(int flags) {
    envelope.setByte(at(1), flags);
  }

  void clearFlag(int flag) {
    envelope.setByte(at(1), flags() & ~flag);
  }

  /** Updates the length in the header after bytes in front were removed. */
  void lengthChanged() {
    envelope.setInt(at(LENGTH_AT), bodyLength());
  }

  /**
   * Returns the body as a view of this frame's buffer, without a reference count of its own. The
   * view's reader index may be moved.
   */
  ByteBuf body() {
    return envelope.slice(at(HEADER_LENGTH), bodyLength());
  }

  /** Returns the buffer, which this frame still owns. */
  ByteBuf bytes() {
    return envelope;
  }

  /** Passes ownership of the buffer to the caller. This frame must not be used afterwards. */
  ByteBuf detach() {
    gone = true;
    return envelope;
  }

  /**
   * Returns a second owner of the same bytes. The header is shared, so both have the same stream
   * id.
   */
  public Frame share() {
    return new Frame(envelope.retainedDuplicate());
  }

  /**
   * Returns a copy with bytes of its own, for a second attempt while the first may still be in
   * flight.
   */
  public Frame copy() {
    return new Frame(envelope.copy());
  }

  /**
   * Returns the frame in memory of its own size if it is only a small part of the memory that it
   * retains. Meant for a frame that has to wait. This frame must not be used afterwards.
   *
   * @param spared so many bytes may be retained in any case
   */
  public Frame compact(int spared) {
    ByteBuf memory = envelope;
    for (ByteBuf below = memory.unwrap(); below != null; below = memory.unwrap()) {
      memory = below;
    }
    if (memory.capacity() <= spared
        || memory.capacity() / LARGEST_WASTE <= envelope.readableBytes()) {
      return this;
    }
    ByteBuf copy;
    try {
      copy = Buffers.POOL.ioBuffer(length());
    } catch (OutOfMemoryError e) {
      // There is no memory for a copy.
      return this;
    }
    copy.writeBytes(envelope, at(0), length());
    release();
    return new Frame(copy);
  }

  /** Releases the buffer. Called once, by the owner. */
  public void release() {
    gone = true;
    envelope.release();
  }

  /** Releases the frame after a failure, unless it was released or passed on before. */
  public void releaseUnlessGone() {
    if (!gone) {
      release();
    }
  }

  @Override
  public String toString() {
    return "Frame[v" + version() + " stream " + stream() + " opcode " + opcode() + "]";
  }
}
