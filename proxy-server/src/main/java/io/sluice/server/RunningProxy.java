package io.sluice.server;

import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.Proxy;
import io.sluice.ProxyConfig;
import io.sluice.console.HostView;
import io.sluice.console.HostView.Configuration;
import io.sluice.console.LiveConfig;
import io.sluice.server.live.ConsoleView;
import io.sluice.trace.Tracer;
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
     * @param tracer which requests are traced; null when none are
     * @throws IOException when it cannot serve; the message says why
     */
    RunningProxy start(
        ProxyConfig config,
        MeterRegistry registry,
        Consumer<String> waiting,
        HostView host,
        @Nullable Tracer tracer)
        throws IOException;
  }

  /** Where clients connect. */
  InetSocketAddress address();

  /** Null while requests can be served, else why they cannot. */
  @Nullable String notReady();

  /** The cluster that is served, for people. */
  String cluster();

  /** Goes by other settings from now on. */
  void apply(LiveConfig next);

  /** The configuration file was read again, for the audit log. */
  void reloaded(Configuration now);

  /** The process before may go, and the next one take the port over; {@code taken} when it has. */
  void serves(Runnable taken);

  /** Accepts no more clients and waits for what is under way; whether all of it was answered. */
  boolean drain(Duration atMost) throws InterruptedException;

  @Override
  void close();

  /** The real one. */
  static RunningProxy start(
      ProxyConfig config,
      MeterRegistry registry,
      Consumer<String> waiting,
      HostView host,
      @Nullable Tracer tracer)
      throws IOException {
    Proxy proxy = Proxy.start(config, registry, waiting, host, tracer);
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
      public String cluster() {
        return proxy.cluster();
      }

      @Override
      public void apply(LiveConfig next) {
        proxy.apply(next);
      }

      @Override
      public void reloaded(Configuration now) {
        proxy.reloaded(now);
      }

      @Override
      public void serves(Runnable taken) {
        proxy.serves(taken);
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
