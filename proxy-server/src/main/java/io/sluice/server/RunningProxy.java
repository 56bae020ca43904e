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

/** The functions of a running {@link Proxy} that the host needs. */
interface RunningProxy extends ConsoleView, AutoCloseable {

  /** Starts a proxy. */
  @FunctionalInterface
  interface Starter {

    /**
     * Returns when the proxy serves.
     *
     * @param waiting receives the reason why the proxy does not serve yet, as long as it waits for
     *     the cluster
     * @param host what the proxy shows about this process
     * @param tracer selects the requests that are traced; null for none
     * @throws IOException when the proxy cannot serve; the message says why
     */
    RunningProxy start(
        ProxyConfig config,
        MeterRegistry registry,
        Consumer<String> waiting,
        HostView host,
        @Nullable Tracer tracer)
        throws IOException;
  }

  /** Returns the address for clients. */
  InetSocketAddress address();

  /** Returns the reason why requests cannot be served; null while they can. */
  @Nullable String notReady();

  /** Returns a description of the cluster. */
  String cluster();

  /**
   * Applies new settings from now on.
   *
   * @throws io.sluice.setting.RefusedSettings when they do not fit the cluster; nothing has changed
   *     then
   */
  void apply(LiveConfig next);

  /** Writes to the audit log that the configuration file was read again. */
  void reloaded(Configuration now);

  /**
   * Lets the previous process end, and the next one take over the port. {@code taken} runs when
   * that has happened.
   */
  void serves(Runnable taken);

  /**
   * Accepts no more clients and waits for requests in flight. Returns whether all were answered.
   */
  boolean drain(Duration atMost) throws InterruptedException;

  @Override
  void close();

  /** Starts a real proxy. */
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
