package io.sluice.server;

import com.codahale.metrics.MetricRegistry;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.ProxyConfig;
import io.sluice.console.HostView;
import io.sluice.server.settings.ConfigurationFile;
import io.sluice.server.settings.InvalidSettings;
import io.sluice.server.settings.LiveSettings;
import io.sluice.server.settings.Reloads;
import io.sluice.server.settings.Settings;
import io.sluice.time.SystemTime;
import io.sluice.trace.Tracer;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code server config.yml}: serves until the process gets a signal. */
@Command(
    name = "server",
    description = {
      "Runs the proxy until SIGTERM or Ctrl-C. It then reports not ready, accepts no connections,"
          + " finishes requests in flight (drainTimeout) and exits with 0. A second signal ends it"
          + " at once. After SIGHUP or a change of the file, it reads the file again.",
      "",
      "The smallest useful file:",
      "  cql:     {host: 0.0.0.0, port: 9042}",
      "  cluster: {contactPoints: [\"10.0.0.1:9042\"], localDatacenter: datacenter1}",
      ""
    })
final class ServeCommand implements Callable<Integer> {

  private static final Logger LOG = LoggerFactory.getLogger(ServeCommand.class);

  private final RunningProxy.Starter starter;
  private final CountDownLatch stopRequested = new CountDownLatch(1);
  private volatile boolean up;

  @Spec private @Nullable CommandSpec spec;
  @Mixin private ConfigurationFile file = new ConfigurationFile();

  @Option(names = "--reference", description = "Only print every key with its meaning and default.")
  private boolean reference;

  ServeCommand(RunningProxy.Starter starter) {
    this.starter = starter;
  }

  @Override
  public Integer call() throws IOException, InvalidSettings, InterruptedException {
    if (reference) {
      Objects.requireNonNull(spec).commandLine().getOut().print(Resources.reference());
      return 0;
    }
    // Names are looked up while the file is read, which can take long.
    Termination.onSignal(this::stop);
    Reloads reloads = file.reloads(new SystemTime());
    LiveSettings live = reloads.settings();
    reloadOnSignal(reloads);
    Settings settings = live.now();
    settings.logging().configure(new MetricRegistry(), "sluice");
    LiveSettings.keepChangesLogged();
    LastWarnings warnings = LastWarnings.follow();
    try {
      serve(live, reloads, new ProcessView(live, warnings, reloads));
    } catch (IOException e) {
      LOG.debug("Not started", e);
      throw e;
    } finally {
      settings.logging().stop();
    }
    return 0;
  }

  /** Replaces the default action of the JVM, which is to end at this signal. */
  private static void reloadOnSignal(Reloads reloads) {
    try {
      Signals.handle("HUP", () -> reloads.ask("SIGHUP", error -> {}));
    } catch (ReflectiveOperationException e) {
      LOG.warn("This JVM gives no access to signals: SIGHUP will end the process", e);
    }
  }

  private void serve(LiveSettings settings, Reloads reloads, HostView view)
      throws IOException, InterruptedException {
    Host host = new Host(settings.now(), this::start, new ServiceNotifier(System.getenv()), view);
    host.serves(stopRequested::countDown);
    host.follow(reloads);
    stopRequested.await();
    reloads.close();
    host.stop(settings.now().drainTimeout());
  }

  /** From here on requests may be in flight, although the host is not complete yet. */
  private RunningProxy start(
      ProxyConfig config,
      MeterRegistry registry,
      Consumer<String> waiting,
      HostView view,
      @Nullable Tracer tracer)
      throws IOException {
    RunningProxy proxy = starter.start(config, registry, waiting, view, tracer);
    up = true;
    return proxy;
  }

  /** During the start there are no requests to finish. */
  private void stop() {
    if (!up) {
      Runtime.getRuntime().halt(0);
    }
    stopRequested.countDown();
  }
}
