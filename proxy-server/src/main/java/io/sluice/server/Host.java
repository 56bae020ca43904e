package io.sluice.server;

import io.sluice.console.HostView;
import io.sluice.server.admin.AdminPort;
import io.sluice.server.live.LivePage;
import io.sluice.server.settings.ReloadMeters;
import io.sluice.server.settings.Reloads;
import io.sluice.server.settings.Settings;
import io.sluice.server.settings.SettingsFormat;
import io.sluice.server.settings.Summary;
import io.sluice.server.trace.OtlpTraces;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The admin port, meters and proxy of one process. Starts and stops them in the right order. */
final class Host {

  private static final Logger LOG = LoggerFactory.getLogger(Host.class);

  private final Readiness readiness = new Readiness();
  private final Meters meters = new Meters();
  private final LivePage live = new LivePage(meters.registry());
  private final @Nullable OtlpTraces traces;
  private final AdminPort admin;
  private final String scheme;
  private final RunningProxy proxy;
  private final ServiceNotifier notifier;

  /**
   * Opens the admin port, then starts the proxy, so that the port can report the start.
   *
   * @param view what the proxy shows about this process
   * @throws IOException when one of them cannot start; nothing is left running then
   */
  Host(Settings settings, RunningProxy.Starter starter, ServiceNotifier notifier, HostView view)
      throws IOException {
    this.notifier = notifier;
    ProcessMeters.register(meters.registry(), readiness);
    traces = OtlpTraces.open(settings.tracing().otlp(), meters.registry(), Resources.version());
    AdminPort opened = null;
    scheme = settings.admin().scheme();
    try {
      opened = AdminPort.open(settings.admin(), readiness::notReady, meters.registry(), live);
      proxy = starter.start(settings.proxyConfig(), meters.registry(), this::waiting, view, traces);
    } catch (IOException | RuntimeException e) {
      if (opened != null) {
        opened.close();
      }
      live.close();
      closeTraces();
      meters.close();
      throw e;
    }
    admin = opened;
    readiness.serving(proxy);
    live.serving(proxy);
    LOG.info(
        "Sluice {} serves {}; {}; {}",
        Resources.version(),
        proxy.cluster(),
        Summary.limits(settings),
        Summary.notDefault(view.settings()));
    LOG.info(
        "Clients connect to {}, admin page at {}",
        SettingsFormat.text(proxy.address()),
        adminUrl());
    notifier.ready(SettingsFormat.text(proxy.address()));
  }

  /** Starts the reloads of the configuration file, with their meters. */
  void follow(Reloads reloads) {
    ReloadMeters.register(meters.registry(), reloads);
    String where = SettingsFormat.text(proxy.address());
    reloads.begin(
        proxy::apply,
        now -> {
          proxy.reloaded(now);
          notifier.serving(where, now.error() == null ? null : now.file());
        });
  }

  /**
   * Offers the port to the next process, and lets the previous process end.
   *
   * @param taken runs when the next process has taken over the port
   */
  void serves(Runnable taken) {
    proxy.serves(
        () -> {
          LOG.info("Another process has taken over the port");
          taken.run();
        });
  }

  private void waiting(String why) {
    readiness.waiting(why);
    notifier.waiting(why);
  }

  /** Returns the address of the page that links to all others. */
  String adminUrl() {
    return scheme + "://" + SettingsFormat.text(admin.address()) + "/";
  }

  /**
   * Shuts down: the process is not ready any more, accepts no connections, waits for requests in
   * flight, and then closes everything.
   *
   * @param timeout maximum time for requests in flight
   */
  void stop(Duration timeout) {
    readiness.draining();
    notifier.stopping();
    LOG.info(
        "Stopping: no new connections, at most {} s for requests in flight", timeout.toSeconds());
    try {
      LOG.info(
          proxy.drain(timeout)
              ? "All requests were answered"
              : "drainTimeout has passed: open requests are dropped");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      LOG.info("Interrupted: open requests are dropped");
    }
    live.close();
    proxy.close();
    closeTraces();
    admin.close();
    meters.close();
  }

  private void closeTraces() {
    if (traces != null) {
      traces.close();
    }
  }
}
