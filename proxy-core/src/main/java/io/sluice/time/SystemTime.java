package io.sluice.time;

/** The machine's own clock; the one class of the proxy that reads it. */
public final class SystemTime implements NanoClock {

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }
}
