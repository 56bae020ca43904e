package io.sluice.it;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import com.sun.management.UnixOperatingSystemMXBean;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.Proxy;
import io.sluice.ProxyConfig;
import io.sluice.accept.ListenConfig;
import io.sluice.tls.TlsConfig;
import io.sluice.tls.TlsConfig.TlsKeys;
import io.sluice.watch.ClusterConfig;
import io.sluice.wire.Buffers;
import io.sluice.wire.EventLoops;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.LoggerFactory;

/** A proxy in a JVM of its own, with little memory. Ends with {@link #close} or with this JVM. */
final class SmallProxy implements AutoCloseable {

  static final int PLACES = 80;
  static final int HANDSHAKE_SECONDS = 3;

  private static final String NO_TLS = "plain";

  /** Each has a log file of its own. */
  private static final AtomicInteger STARTED = new AtomicInteger();

  private static final long LOOK_MILLIS = 5;

  private static final Pattern NUMBER = Pattern.compile("(?<=: ?)\\d+");

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
    return start(node, memory, places, handshakeSeconds, NO_TLS);
  }

  /**
   * The same where TLS is optional; its files, and that of the authority, are made in {@code
   * folder}.
   */
  static SmallProxy startWithTls(
      InetSocketAddress node, String memory, int places, int handshakeSeconds, Path folder)
      throws IOException {
    TestAuthority authority = new TestAuthority();
    authority.writePem(folder);
    authority.writeAuthority(folder.resolve("ca.crt"));
    return start(node, memory, places, handshakeSeconds, folder.toString());
  }

  private static SmallProxy start(
      InetSocketAddress node, String memory, int places, int handshakeSeconds, String tls)
      throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + memory,
                "-XX:+UseSerialGC",
                "-XX:+ExitOnOutOfMemoryError",
                "-Dio.netty.leakDetection.level="
                    + System.getProperty("sluice.it.leakDetection", "simple"),
                "-Dsluice.it.log=target/small-proxy-" + STARTED.incrementAndGet() + ".log",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                SmallProxy.class.getName(),
                node.getHostString(),
                String.valueOf(node.getPort()),
                String.valueOf(places),
                String.valueOf(handshakeSeconds),
                tls)
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
   * @param direct taken for buffers, used or kept for later
   * @param pinned the part of it that is used
   * @param mostHeld the most that was held since the start
   * @param mostDirect the most that was taken for buffers since the start
   */
  record Memory(
      long held, long limit, long heap, long direct, long pinned, long mostHeld, long mostDirect) {}

  /**
   * What else of it could grow.
   *
   * @param threads that live
   * @param descriptors that are open
   * @param links to nodes
   * @param streams requests under way at nodes, also those that nothing waits for any more
   * @param slots reads that nodes are given
   * @param queued reads that wait
   * @param leaks that Netty has noticed since the start
   * @param clients connections of clients
   * @param evicted clients that were disconnected because memory was short
   * @param unread clients that were disconnected because they left too much unread
   */
  record Footprint(
      Memory memory,
      int threads,
      long descriptors,
      int links,
      int streams,
      int slots,
      int queued,
      int leaks,
      int clients,
      int evicted,
      int unread) {}

  /** The memory that it takes now. */
  Memory memory() throws IOException, InterruptedException {
    return footprint().memory();
  }

  /** All that it takes now. */
  Footprint footprint() throws IOException, InterruptedException {
    process.getOutputStream().write('\n');
    process.getOutputStream().flush();
    String line = told.poll(30, TimeUnit.SECONDS);
    if (line == null) {
      throw new IOException("the proxy does not tell its memory");
    }
    Iterator<Long> next = Arrays.stream(line.split(" ", -1)).skip(1).map(Long::valueOf).iterator();
    Memory memory =
        new Memory(
            next.next(),
            next.next(),
            next.next(),
            next.next(),
            next.next(),
            next.next(),
            next.next());
    return new Footprint(
        memory,
        next.next().intValue(),
        next.next(),
        next.next().intValue(),
        next.next().intValue(),
        next.next().intValue(),
        next.next().intValue(),
        next.next().intValue(),
        next.next().intValue(),
        next.next().intValue(),
        next.next().intValue());
  }

  boolean isAlive() {
    return process.isAlive();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  /**
   * The child, which is given its node's host and port, its places, its time before login and the
   * folder of its TLS files.
   */
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
                any.maxMemoryPercent())
            .withTls(args[4].equals(NO_TLS) ? any.tls() : tls(Path.of(args[4])));
    ClusterConfig cluster =
        new ClusterConfig(List.of(node), "datacenter1", null, Duration.ofSeconds(10));
    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    Thread.setDefaultUncaughtExceptionHandler(SmallProxy::end);
    AtomicInteger leaks = countLeaks();
    Proxy proxy = Proxy.start(ProxyConfig.of(cql, cluster), meters);
    Peaks peaks = new Peaks(meters);
    peaks.start();
    System.out.println("port " + proxy.address().getPort());
    while (System.in.read() >= 0) {
      System.out.println(
          memoryNow(meters, cql.maxMemoryPercent(), peaks)
              + footprintNow(meters, proxy, leaks.get()));
    }
    proxy.close();
  }

  /** The most of two figures, which a thread of its own reads all the time. */
  private static final class Peaks extends Thread {
    private final LongAccumulator held = new LongAccumulator(Math::max, 0);
    private final LongAccumulator direct = new LongAccumulator(Math::max, 0);
    private final SimpleMeterRegistry meters;

    Peaks(SimpleMeterRegistry meters) {
      super("peaks");
      setDaemon(true);
      this.meters = meters;
    }

    @Override
    public void run() {
      while (true) {
        held.accumulate(heldBytes(meters));
        direct.accumulate(directBytes());
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS));
      }
    }
  }

  /** Ends the process without memory, as the server does. */
  private static void end(Thread thread, Throwable cause) {
    System.err.println(thread + ": " + cause);
    if (cause instanceof OutOfMemoryError) {
      Runtime.getRuntime().halt(3);
    }
  }

  private static TlsConfig tls(Path folder) {
    return TestAuthority.clients(
        TlsConfig.Mode.OPTIONAL,
        TlsKeys.pem(folder.resolve("tls.crt").toString(), folder.resolve("tls.key").toString()));
  }

  /** Counts what Netty's leak detection logs. */
  private static AtomicInteger countLeaks() {
    AtomicInteger leaks = new AtomicInteger();
    AppenderBase<ILoggingEvent> counting =
        new AppenderBase<>() {
          @Override
          protected void append(ILoggingEvent event) {
            if (event.getMessage().startsWith("LEAK")) {
              leaks.incrementAndGet();
              System.err.println(event.getFormattedMessage());
            }
          }
        };
    counting.start();
    ((Logger) LoggerFactory.getLogger("io.netty.util")).addAppender(counting);
    return leaks;
  }

  private static String footprintNow(SimpleMeterRegistry meters, Proxy proxy, int leaks) {
    UnixOperatingSystemMXBean system =
        (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return " %d %d %d %d %d %d %d %d %d %d"
        .formatted(
            ManagementFactory.getThreadMXBean().getThreadCount(),
            system.getOpenFileDescriptorCount(),
            sum(meters, "sluice.links"),
            streams(proxy),
            sum(meters, "sluice.in.flight"),
            sum(meters, "sluice.queued"),
            leaks,
            sum(meters, "sluice.clients"),
            disconnects(meters, "memory"),
            disconnects(meters, "unread"));
  }

  private static int streams(Proxy proxy) {
    CompletableFuture<String> links = new CompletableFuture<>();
    proxy.select("SELECT in_flight FROM system_proxy.links", links::complete);
    Matcher each = NUMBER.matcher(links.orTimeout(10, TimeUnit.SECONDS).join());
    int sum = 0;
    while (each.find()) {
      sum += Integer.parseInt(each.group());
    }
    return sum;
  }

  private static int sum(SimpleMeterRegistry meters, String name) {
    return (int) meters.find(name).gauges().stream().mapToDouble(Gauge::value).sum();
  }

  private static int disconnects(SimpleMeterRegistry meters, String reason) {
    return (int)
        meters.get("sluice.client.disconnects").tag("reason", reason).functionCounter().count();
  }

  private static long heldBytes(SimpleMeterRegistry meters) {
    return (long) meters.get("sluice.client.held.bytes").gauge().value();
  }

  private static long directBytes() {
    return Buffers.POOL.takenBytes();
  }

  private static String memoryNow(SimpleMeterRegistry meters, int percent, Peaks peaks) {
    long held = heldBytes(meters);
    long limit = EventLoops.maxDirectMemory() / 100 * percent;
    long direct = directBytes();
    long pinned = Buffers.POOL.pinnedDirectMemory() + Buffers.POOL.exactBytes();
    System.gc();
    Runtime jvm = Runtime.getRuntime();
    long heap = jvm.totalMemory() - jvm.freeMemory();
    return "memory %d %d %d %d %d %d %d"
        .formatted(held, limit, heap, direct, pinned, peaks.held.get(), peaks.direct.get());
  }
}
