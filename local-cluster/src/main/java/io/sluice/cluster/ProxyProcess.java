package io.sluice.cluster;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Sluice as its own process, started as a user would start it, in its own session like the nodes.
 * {@link #close} or the end of this JVM stops it. Safe for any thread.
 */
public final class ProxyProcess implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofMinutes(3);
  private static final long DRAIN_SECONDS = 15;
  private static final int SHOWN_LINES = 20;

  /** One for all, because each has a thread until the collector finds it. */
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final Process process;
  private final Path log;
  private final URI admin;
  private final EndHook hook = new EndHook("end-sluice", this::end);

  private ProxyProcess(Process process, Path log, URI admin) {
    this.process = process;
    this.log = log;
    this.admin = admin;
  }

  /** Returns the program that starts Sluice; empty if {@code ./sluice} did not start this JVM. */
  public static Optional<Path> launcher() {
    return Optional.ofNullable(System.getenv("SLUICE_LAUNCHER"))
        .filter(launcher -> !launcher.isBlank())
        .map(Path::of);
  }

  /**
   * Returns the program that starts Sluice, for a command that requires it.
   *
   * @param what the command, for the message
   * @throws ClusterFailure when there is none
   */
  public static Path launcher(String what) {
    return launcher()
        .orElseThrow(
            () ->
                new ClusterFailure(
                    what + " must be started by ./sluice, which also starts Sluice"));
  }

  /**
   * Starts Sluice and waits until it is ready.
   *
   * @param launcher the program to run with {@code server CONFIG}
   * @param dir the folder of its configuration and log
   * @throws ClusterFailure with the last lines of its log when it does not come up, or when this
   *     JVM is ending; then nothing is left running
   */
  public static ProxyProcess start(Path launcher, Path dir, ProxySpec spec)
      throws InterruptedException {
    Path config = dir.resolve(spec.name() + ".yml");
    Path log = dir.resolve(spec.name() + ".log");
    try {
      Files.writeString(config, spec.configuration());
      Process process =
          new ProcessBuilder(
                  OwnSession.of(List.of(launcher.toString(), "server", config.toString())))
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      ProxyProcess proxy =
          new ProxyProcess(process, log, URI.create("http://127.0.0.1:" + spec.adminPort()));
      if (!proxy.hook.register()) {
        proxy.end();
        throw new ClusterFailure("Sluice is not started, because this JVM is ending");
      }
      proxy.awaitReady();
      return proxy;
    } catch (IOException e) {
      throw new ClusterFailure("Sluice cannot be started: " + e.getMessage(), e);
    }
  }

  /**
   * Creates the keyspace in which proxies find each other, and waits until all nodes have it.
   *
   * @param launcher the program to run with {@code fleet init CONFIG}
   * @param dir the folder of the configuration
   * @param spec the specification of any of the proxies
   * @param copies number of copies of the keyspace's rows
   * @throws ClusterFailure with the program's output when it fails
   */
  public static void initFleet(Path launcher, Path dir, ProxySpec spec, int copies)
      throws InterruptedException {
    Path config = dir.resolve(spec.name() + ".yml");
    Path log = dir.resolve("fleet-init.log");
    try {
      Files.writeString(config, spec.configuration());
      Process process =
          new ProcessBuilder(
                  launcher.toString(),
                  "fleet",
                  "init",
                  config.toString(),
                  "--replication",
                  spec.datacenter() + ":" + copies)
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      if (!process.waitFor(START_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
      if (process.exitValue() != 0) {
        throw new ClusterFailure(
            "The keyspace of the fleet cannot be created:\n"
                + LogTail.ofAFailure(log, SHOWN_LINES));
      }
    } catch (IOException e) {
      throw new ClusterFailure("Sluice cannot be started: " + e.getMessage(), e);
    }
  }

  /** Returns the address of its admin pages. */
  public URI admin() {
    return admin;
  }

  /** Returns its process. */
  public ProcessHandle handle() {
    return process.toHandle();
  }

  /** Pauses the process. Its connections stay open and silent. */
  public void pause() {
    signal("STOP");
  }

  /** Resumes a paused process. */
  public void resume() {
    signal("CONT");
  }

  /** Kills the process, like a crash, and waits for its end. */
  public void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
    hook.remove();
  }

  /** Stops the process as an operator would, and waits until it has drained. */
  @Override
  public void close() {
    end();
    hook.remove();
  }

  private void awaitReady() throws InterruptedException {
    long end = System.nanoTime() + START_LIMIT.toNanos();
    while (!ready()) {
      if (!process.isAlive()) {
        hook.remove();
        throw new ClusterFailure(
            "Sluice ended with exit code "
                + process.exitValue()
                + "; its last output:\n"
                + lastLines());
      }
      if (System.nanoTime() - end > 0) {
        close();
        throw new ClusterFailure(
            "Sluice was not ready after "
                + START_LIMIT.toSeconds()
                + " s; its last output:\n"
                + lastLines());
      }
      TimeUnit.MILLISECONDS.sleep(200);
    }
  }

  private boolean ready() throws InterruptedException {
    HttpRequest ask =
        HttpRequest.newBuilder(admin.resolve("/readyz")).timeout(Duration.ofSeconds(2)).build();
    try {
      return HTTP.send(ask, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException e) {
      return false;
    }
  }

  private void signal(String name) {
    if (!process.isAlive() || !Signal.send(name, process.pid())) {
      throw new ClusterFailure("Sluice has ended; its last output:\n" + lastLines());
    }
  }

  private void end() {
    process.destroy();
    try {
      if (!process.waitFor(DRAIN_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  private String lastLines() {
    return String.join("\n", LogTail.lines(log, SHOWN_LINES));
  }
}
