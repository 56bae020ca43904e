package io.sluice.wire;

import java.util.Arrays;

/** The choices of one fuzzed run, byte by byte; all are 0 when the bytes are used up. */
public final class Choices {

  private final byte[] bytes;
  private int at;

  public Choices(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Whether bytes are left. */
  public boolean more() {
    return at < bytes.length;
  }

  /** The next byte, 0 to 255. */
  public int octet() {
    return at < bytes.length ? bytes[at++] & 0xFF : 0;
  }

  /** A number below {@code bound}, which is at most 256. */
  public int below(int bound) {
    return octet() % bound;
  }

  /** One of two. */
  public boolean flip() {
    return (octet() & 1) != 0;
  }

  /** A number of two bytes. */
  public int number() {
    return (octet() << 8) | octet();
  }

  /** Any number. */
  public int integer() {
    return (number() << 16) | number();
  }

  /** As many of the next bytes as the next one says. */
  public byte[] some() {
    return take(octet());
  }

  /** All that is left. */
  public byte[] rest() {
    return take(bytes.length);
  }

  private byte[] take(int most) {
    byte[] taken = Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + most));
    at += taken.length;
    return taken;
  }
}
