package io.sluice.wire;

import java.util.Arrays;

/** The choices of one fuzzing run, byte by byte; 0 after the bytes are used up. */
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

  /** Returns the next byte, 0 to 255. */
  public int octet() {
    return at < bytes.length ? bytes[at++] & 0xFF : 0;
  }

  /** Returns a number below {@code bound}, which is at most 256. */
  public int below(int bound) {
    return octet() % bound;
  }

  /** Returns true or false. */
  public boolean flip() {
    return (octet() & 1) != 0;
  }

  /** Returns a number of two bytes. */
  public int number() {
    return (octet() << 8) | octet();
  }

  /** Returns any number. */
  public int integer() {
    return (number() << 16) | number();
  }

  /** Returns a byte string that is preceded by its length. */
  public byte[] some() {
    return take(octet());
  }

  /** Returns all remaining bytes. */
  public byte[] rest() {
    return take(bytes.length);
  }

  private byte[] take(int most) {
    byte[] taken = Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + most));
    at += taken.length;
    return taken;
  }
}
