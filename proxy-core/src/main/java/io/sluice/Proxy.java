package io.sluice;

import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;

/** A running proxy. Safe for any thread. */
public final class Proxy implements AutoCloseable {

  private Proxy() {}

  /**
   * Connects to the cluster and starts serving clients; returns when both work.
   *
   * @param registry where its meters go
   * @throws IOException when the cluster cannot be reached or the port cannot be bound; the message
   *     says which and what to do
   */
  public static Proxy start(ProxyConfig config, MeterRegistry registry) throws IOException {
    throw new IOException(config + " " + registry);
  }

  /** Where clients connect, with the port that was really bound. */
  public InetSocketAddress address() {
    throw new UnsupportedOperationException();
  }

  /** Null while requests can be served, else why they cannot. */
  public String notReady() {
    throw new UnsupportedOperationException();
  }

  /**
   * Accepts nobody any more and waits until what is under way is answered.
   *
   * @param atMost after this the rest is cut off
   * @return whether everything was answered
   * @throws InterruptedException when interrupted while waiting
   */
  public boolean drain(Duration atMost) throws InterruptedException {
    throw new UnsupportedOperationException(String.valueOf(atMost));
  }

  /** Closes everything at once. */
  @Override
  public void close() {}
}
