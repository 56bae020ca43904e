package io.sluice.server;

import io.sluice.console.HostView;
import io.sluice.server.live.LivePage;
import io.sluice.server.trace.OtlpTraces;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Admin port, meters and proxy of one process, brought up and down in the right order. */
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
   * Opens the admin port, then starts the proxy, so that the first can tell about the second.
   *
   * @param view what the proxy shows of this process
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
      opened = AdminPort.open(settings.admin(), readiness, meters.registry(), live);
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

  /** Makes reloads of the configuration file, and counts them. */
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

  /** Lets the next process take the port over, and the one before go. */
  void serves(Runnable taken) {
    proxy.serves(
        () -> {
          LOG.info("Another process has taken the port over");
          taken.run();
        });
  }

  private void waiting(String why) {
    readiness.waiting(why);
    notifier.waiting(why);
  }

  /** The page that lists the others. */
  String adminUrl() {
    return scheme + "://" + SettingsFormat.text(admin.address()) + "/";
  }

  /**
   * Not ready at once, no new clients, requests under way finished, then everything closed.
   *
   * @param atMost how long requests may take to finish
   */
  void stop(Duration atMost) {
    readiness.draining();
    notifier.stopping();
    LOG.info(
        "Stopping: no new connections, at most {} s for what is under way", atMost.toSeconds());
    try {
      LOG.info(proxy.drain(atMost) ? "Everything was answered" : "Time is up, the rest is cut off");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      LOG.info("Interrupted, what is under way is cut off");
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
