package io.sluice.it;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.PooledByteBufAllocator;
import io.sluice.Proxy;
import io.sluice.ProxyConfig;
import io.sluice.accept.ListenConfig;
import io.sluice.watch.ClusterConfig;
import io.sluice.wire.EventLoops;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A proxy in a JVM of its own, with little memory. Ends with {@link #close} or with this JVM. */
final class SmallProxy implements AutoCloseable {

  static final int PLACES = 80;
  static final int HANDSHAKE_SECONDS = 3;

  private final Process process;
  private final InetSocketAddress address;
  private final BlockingQueue<String> told;

  private SmallProxy(Process process, InetSocketAddress address, BlockingQueue<String> told) {
    this.process = process;
    this.address = address;
    this.told = told;
  }

  /** Starts one before {@code node} and waits until it serves. */
  static SmallProxy start(InetSocketAddress node, String memory) throws IOException {
    return start(node, memory, PLACES, HANDSHAKE_SECONDS);
  }

  /** The same with so many places, and so much time before login. */
  static SmallProxy start(InetSocketAddress node, String memory, int places, int handshakeSeconds)
      throws IOException {
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
                String.valueOf(node.getPort()),
                String.valueOf(places),
                String.valueOf(handshakeSeconds))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    BufferedReader said = new BufferedReader(process.inputReader(StandardCharsets.UTF_8));
    for (String line = said.readLine(); line != null; line = said.readLine()) {
      if (line.startsWith("port ")) {
        BlockingQueue<String> told = new LinkedBlockingQueue<>();
        follow(said, told);
        int port = Integer.parseInt(line.substring("port ".length()));
        return new SmallProxy(
            process, new InetSocketAddress(InetAddress.getLoopbackAddress(), port), told);
      }
    }
    throw new IOException("the proxy ended before it served");
  }

  /** Its log is not looked at, but must not fill the pipe. */
  private static void follow(BufferedReader said, BlockingQueue<String> told) {
    Thread reader =
        new Thread(
            () -> {
              try {
                for (String line = said.readLine(); line != null; line = said.readLine()) {
                  if (line.startsWith("memory ")) {
                    told.add(line);
                  }
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

  /**
   * The memory of the process, in bytes.
   *
   * @param held what counts against the budget
   * @param limit the budget
   * @param heap used after a collection
   * @param direct taken for buffers
   */
  record Memory(long held, long limit, long heap, long direct) {}

  /** The memory that it takes now. */
  Memory memory() throws IOException, InterruptedException {
    process.getOutputStream().write('\n');
    process.getOutputStream().flush();
    String line = told.poll(30, TimeUnit.SECONDS);
    if (line == null) {
      throw new IOException("the proxy does not tell its memory");
    }
    String[] words = line.split(" ", -1);
    return new Memory(
        Long.parseLong(words[1]),
        Long.parseLong(words[2]),
        Long.parseLong(words[3]),
        Long.parseLong(words[4]));
  }

  boolean isAlive() {
    return process.isAlive();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  /** The child, which is given its node's host and port, its places and its time before login. */
  public static void main(String[] args) throws IOException {
    InetSocketAddress node = new InetSocketAddress(args[0], Integer.parseInt(args[1]));
    ListenConfig any = ListenConfig.on("127.0.0.1", 0);
    ListenConfig cql =
        new ListenConfig(
            any.host(),
            any.port(),
            Integer.parseInt(args[2]),
            any.maxFrameBytes(),
            any.maxUnanswered(),
            any.maxUnreadBytes(),
            Duration.ofSeconds(Long.parseLong(args[3])),
            any.maxMemoryPercent());
    ClusterConfig cluster =
        new ClusterConfig(List.of(node), "datacenter1", null, Duration.ofSeconds(10));
    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    Proxy proxy = Proxy.start(ProxyConfig.of(cql, cluster), meters);
    System.out.println("port " + proxy.address().getPort());
    while (System.in.read() >= 0) {
      System.out.println(memoryNow(meters, cql.maxMemoryPercent()));
    }
    proxy.close();
  }

  private static String memoryNow(SimpleMeterRegistry meters, int percent) {
    long held = (long) meters.get("sluice.client.held.bytes").gauge().value();
    long limit = EventLoops.maxDirectMemory() / 100 * percent;
    long direct = PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();
    System.gc();
    Runtime jvm = Runtime.getRuntime();
    long heap = jvm.totalMemory() - jvm.freeMemory();
    return "memory %d %d %d %d".formatted(held, limit, heap, direct);
  }
}
