package io.sluice.server;

import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.Proxy;
import io.sluice.ProxyConfig;
import io.sluice.console.HostView;
import io.sluice.server.live.ConsoleView;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A running {@link Proxy}, as far as the host needs it. */
interface RunningProxy extends ConsoleView, AutoCloseable {

  /** Starts one. */
  @FunctionalInterface
  interface Starter {

    /**
     * Returns when it serves.
     *
     * @param waiting told why it does not serve yet, as long as it waits for the cluster
     * @param host what the proxy shows of this process
     * @throws IOException when it cannot serve; the message says why
     */
    RunningProxy start(
        ProxyConfig config, MeterRegistry registry, Consumer<String> waiting, HostView host)
        throws IOException;
  }

  /** Where clients connect. */
  InetSocketAddress address();

  /** Null while requests can be served, else why they cannot. */
  @Nullable String notReady();

  /** Accepts no more clients and waits for what is under way; whether all of it was answered. */
  boolean drain(Duration atMost) throws InterruptedException;

  @Override
  void close();

  /** The real one. */
  static RunningProxy start(
      ProxyConfig config, MeterRegistry registry, Consumer<String> waiting, HostView host)
      throws IOException {
    Proxy proxy = Proxy.start(config, registry, waiting, host);
    return new RunningProxy() {
      @Override
      public InetSocketAddress address() {
        return proxy.address();
      }

      @Override
      public @Nullable String notReady() {
        return proxy.notReady();
      }

      @Override
      public void select(String cql, Consumer<String> then) {
        proxy.select(cql, then);
      }

      @Override
      public void end(long request, String operator, Consumer<Boolean> then) {
        proxy.end(request, operator, then);
      }

      @Override
      public @Nullable String set(String key, @Nullable String value, String operator) {
        return proxy.set(key, value, operator);
      }

      @Override
      public boolean drain(Duration atMost) throws InterruptedException {
        return proxy.drain(atMost);
      }

      @Override
      public void close() {
        proxy.close();
      }
    };
  }
}
