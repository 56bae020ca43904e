package io.sluice.it;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.Proxy;
import io.sluice.ProxyConfig;
import io.sluice.accept.ListenConfig;
import io.sluice.watch.ClusterConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A proxy in a JVM of its own, with little memory. Ends with {@link #close} or with this JVM. */
final class SmallProxy implements AutoCloseable {

  static final int PLACES = 40;
  static final int HANDSHAKE_SECONDS = 3;

  private final Process process;
  private final InetSocketAddress address;

  private SmallProxy(Process process, InetSocketAddress address) {
    this.process = process;
    this.address = address;
  }

  /** Starts one before {@code node} and waits until it serves. */
  static SmallProxy start(InetSocketAddress node, String memory) throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + memory,
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:+ExitOnOutOfMemoryError",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                SmallProxy.class.getName(),
                node.getHostString(),
                String.valueOf(node.getPort()))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    BufferedReader said = new BufferedReader(process.inputReader(StandardCharsets.UTF_8));
    for (String line = said.readLine(); line != null; line = said.readLine()) {
      if (line.startsWith("port ")) {
        drop(said);
        int port = Integer.parseInt(line.substring("port ".length()));
        return new SmallProxy(
            process, new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      }
    }
    throw new IOException("the proxy ended before it served");
  }

  /** Its log is not looked at, but must not fill the pipe. */
  private static void drop(BufferedReader said) {
    Thread reader =
        new Thread(
            () -> {
              try {
                while (said.readLine() != null) {
                  // Dropped.
                }
              } catch (IOException e) {
                // It has ended.
              }
            },
            "small proxy's log");
    reader.setDaemon(true);
    reader.start();
  }

  InetSocketAddress address() {
    return address;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  /** The child, which is given its node's host and port. */
  public static void main(String[] args) throws IOException {
    InetSocketAddress node = new InetSocketAddress(args[0], Integer.parseInt(args[1]));
    ListenConfig any = ListenConfig.on("127.0.0.1", 0);
    ListenConfig cql =
        new ListenConfig(
            any.host(),
            any.port(),
            PLACES,
            any.maxFrameBytes(),
            any.maxUnanswered(),
            any.maxUnreadBytes(),
            Duration.ofSeconds(HANDSHAKE_SECONDS),
            any.maxMemoryPercent());
    ClusterConfig cluster =
        new ClusterConfig(List.of(node), "datacenter1", null, Duration.ofSeconds(10));
    Proxy proxy = Proxy.start(ProxyConfig.of(cql, cluster), new SimpleMeterRegistry());
    System.out.println("port " + proxy.address().getPort());
    while (System.in.read() >= 0) {
      // It serves until its parent ends.
    }
    proxy.close();
  }
}
