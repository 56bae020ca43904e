package io.sluice.server;

import io.sluice.console.HostView.Configuration;
import io.sluice.console.LiveConfig;
import io.sluice.server.live.FakeConsole;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A proxy whose requests end when the test says so. It records all calls. */
final class FakeProxy extends FakeConsole implements RunningProxy {

  final CountDownLatch answered;
  volatile @Nullable String notReady;

  /**
   * Creates a proxy with requests in flight.
   *
   * @param underWay number of requests that {@link #drain} waits for
   */
  FakeProxy(int underWay) {
    answered = new CountDownLatch(underWay);
  }

  @Override
  public InetSocketAddress address() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 9042);
  }

  @Override
  public @Nullable String notReady() {
    return notReady;
  }

  @Override
  public String cluster() {
    return "Fake Cluster, data centre dc1, 1 of 1 nodes up";
  }

  @Override
  public void serves(Runnable taken) {
    // No other process takes over the port.
  }

  @Override
  public void apply(LiveConfig next) {
    told.add("apply " + next.exchange().scheduling().mode());
  }

  @Override
  public void reloaded(Configuration now) {
    told.add("reloaded for " + now.readFor());
  }

  @Override
  public boolean drain(Duration atMost) throws InterruptedException {
    told.add("drain");
    return answered.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    told.add("close");
  }

  /** Runs the commands with a fake proxy whose only request never ends, or that does not start. */
  public static void main(String[] arguments) {
    Starter starter =
        (config, registry, waiting, view, tracer) -> {
          if (config.ioThreads() == 1) {
            throw new IOException("cluster.contactPoints: nobody there");
          }
          return new FakeProxy(config.ioThreads());
        };
    System.exit(SluiceServer.commandLine(starter).execute(arguments));
  }
}
