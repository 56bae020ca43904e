package io.sluice.torture;

import java.net.InetSocketAddress;

/** The proxies of a run, as the targets of faults. They count from 0 on. */
interface Proxies {
  /** Returns the address of the proxy for clients. */
  InetSocketAddress address(int number);

  void kill(int number) throws InterruptedException;

  /** Stops the proxy as an operator would, and waits until it has drained. */
  void stop(int number);

  /** Starts the proxy, and waits until it serves. */
  void start(int number) throws InterruptedException;

  void pause(int number);

  void resume(int number);
}
