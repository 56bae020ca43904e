package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.SluiceServer;
import io.sluice.testkit.SpawnedCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A proxy process with a configuration file. {@link #close} stops it. */
final class ServerProcess implements AutoCloseable {
  private final Process process;
  private final Queue<String> log = new ConcurrentLinkedQueue<>();
  private final int port;
  private final String admin;

  private ServerProcess(Process process) throws IOException {
    this.process = process;
    BufferedReader said = process.inputReader();
    String line = said.readLine();
    while (line != null && !line.contains("Clients connect to ")) {
      log.add(line);
      line = said.readLine();
    }
    assertThat(line).as("a line of a start: %s", log).isNotNull();
    port = Integer.parseInt(line.replaceAll(".*Clients connect to [^,]*:(\\d+),.*", "$1"));
    admin = "http://127.0.0.1:" + line.replaceAll(".*:(\\d+)/.*", "$1");
    Thread reader = new Thread(() -> said.lines().forEach(log::add), "proxy's log");
    reader.setDaemon(true);
    reader.start();
  }

  /** Starts the process, and waits until it serves. */
  static ServerProcess start(Path configuration) throws IOException {
    return start(SpawnedCommand.builder(SluiceServer.class, "server", configuration.toString()));
  }

  /** Does the same with all compilers of the JVM, for measurements. */
  static ServerProcess startOptimized(Path configuration) throws IOException {
    return start(
        SpawnedCommand.optimizedBuilder(SluiceServer.class, "server", configuration.toString()));
  }

  private static ServerProcess start(ProcessBuilder command) throws IOException {
    Process process = command.redirectErrorStream(true).start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    return new ServerProcess(process);
  }

  /** Returns the CQL endpoint. */
  Target target(String prefix) {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    return new Target("Sluice", true, new InetSocketAddress(loopback, port), prefix);
  }

  /** Returns the address of its admin port. */
  String admin() {
    return admin;
  }

  /** Returns the lines of its log. */
  Queue<String> log() {
    return log;
  }

  long pid() {
    return process.pid();
  }

  /** Returns the processor time that the process has used. */
  Duration processorTime() {
    return process.info().totalCpuDuration().orElseThrow();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
