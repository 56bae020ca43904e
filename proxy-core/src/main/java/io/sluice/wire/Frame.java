package io.sluice.wire;

import io.netty.buffer.ByteBuf;

/**
 * One protocol frame ("envelope" in v5): nine bytes of header and a body, uncompressed, in one
 * buffer that this object owns. Its receiver either hands it on or releases it, once. Header fields
 * are changed in place, so a body is forwarded without being copied or read. Not safe for several
 * threads.
 */
public final class Frame {

  static final int HEADER_LENGTH = 9;
  static final int FLAG_COMPRESSED = 0x01;
  static final int FLAG_TRACING = 0x02;
  static final int FLAG_PAYLOAD = 0x04;
  static final int FLAG_WARNING = 0x08;
  static final int FLAG_BETA = 0x10;

  /** A frame that waits may keep so many times its own bytes alive. */
  private static final int LARGEST_WASTE = 2;

  private static final int RESPONSE = 0x80;
  private static final int STREAM_AT = 2;
  private static final int OPCODE_AT = 4;
  private static final int LENGTH_AT = 5;

  private final ByteBuf envelope;

  /** Whether the bytes were released or handed on. */
  private boolean gone;

  /** Takes over {@code envelope}, whose readable bytes are exactly one header and its body. */
  Frame(ByteBuf envelope) {
    this.envelope = envelope;
  }

  /** Takes over {@code envelope}: nine bytes to be filled in here, then the body. */
  static Frame response(ByteBuf envelope, int version, int stream, int opcode) {
    return new Frame(fillHeader(envelope, version | RESPONSE, stream, opcode));
  }

  /** Takes over {@code envelope}: nine bytes to be filled in here, then the body. */
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

  /** The protocol version, without the direction bit. */
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

  /** Header and body, in bytes. */
  public int length() {
    return envelope.readableBytes();
  }

  public int bodyLength() {
    return envelope.readableBytes() - HEADER_LENGTH;
  }

  /** The same frame under another stream id; changes this one's header. */
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

  /** The buffer has become shorter in front: the header is told. */
  void lengthChanged() {
    envelope.setInt(at(LENGTH_AT), bodyLength());
  }

  /**
   * The body, as a view that shares bytes and fate with this frame; its reader index may be moved.
   */
  ByteBuf body() {
    return envelope.slice(at(HEADER_LENGTH), bodyLength());
  }

  /**
   * The integer so many bytes behind the beginning of the body.
   *
   * @throws IndexOutOfBoundsException when the body ends before
   */
  int bodyInt(int offset) {
    if (offset + Integer.BYTES > bodyLength()) {
      throw new IndexOutOfBoundsException(
          "body of " + bodyLength() + " bytes, no int at " + offset);
    }
    return envelope.getInt(at(HEADER_LENGTH + offset));
  }

  /** The bytes, which stay this frame's. */
  ByteBuf bytes() {
    return envelope;
  }

  /** Hands the buffer over; this frame must not be used after. */
  ByteBuf detach() {
    gone = true;
    return envelope;
  }

  /** A second owner of the same bytes. The header is shared: do not move both to other streams. */
  public Frame share() {
    return new Frame(envelope.retainedDuplicate());
  }

  /** A copy with bytes of its own, for a second attempt while the first may still be on its way. */
  public Frame copy() {
    return new Frame(envelope.copy());
  }

  /**
   * The same frame in memory of its own size if it is a small part of what it keeps alive, for a
   * frame that is to wait. This frame must not be used after.
   */
  public Frame compact() {
    ByteBuf memory = envelope;
    for (ByteBuf below = memory.unwrap(); below != null; below = memory.unwrap()) {
      memory = below;
    }
    if (memory.capacity() / LARGEST_WASTE <= envelope.readableBytes()) {
      return this;
    }
    ByteBuf copy;
    try {
      copy = envelope.alloc().ioBuffer(length());
    } catch (OutOfMemoryError e) {
      // There is no room for a copy beside it.
      return this;
    }
    copy.writeBytes(envelope, at(0), length());
    release();
    return new Frame(copy);
  }

  /** Gives the bytes back; called once, by the owner. */
  public void release() {
    gone = true;
    envelope.release();
  }

  /** Releases the frame after a failure, unless its owner had released or written it before. */
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
