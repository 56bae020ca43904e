package io.sluice.it;

import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import io.sluice.cluster.ProxyProcess;
import io.sluice.cluster.ProxySpec;
import io.sluice.testkit.FreePorts;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Three proxies as processes that know each other. Each has an address of its own and the port of
 * the others, like nodes, because gocql finds a host by its address alone. {@link #close} ends
 * them.
 */
final class FleetProcesses implements AutoCloseable {

  static final int COUNT = 3;

  /** The last byte of the first proxy's address, above those of nodes. */
  private static final int FIRST = 31;

  private static final Duration START = Duration.ofSeconds(60);

  private final HttpClient http = HttpClient.newHttpClient();
  private final List<ProxyProcess> processes = new ArrayList<>();
  private final Path folder;
  private final List<ProxySpec> specs;

  private FleetProcesses(Path folder, List<ProxySpec> specs) {
    this.folder = folder;
    this.specs = specs;
  }

  /**
   * Specifies proxies that find each other in the keyspace of the fleet. None is started.
   *
   * @param folder the folder of their configurations and logs
   * @param node a contact point
   * @param homes whether range reads wait at home proxies
   */
  static FleetProcesses inKeyspace(Path folder, InetSocketAddress node, boolean homes)
      throws IOException {
    return new FleetProcesses(
        folder,
        specs(node).stream()
            .map(ProxySpec::inFleet)
            .map(spec -> homes ? spec.withHomes() : spec)
            .toList());
  }

  /** Specifies proxies whose configurations name the others. None is started. */
  static FleetProcesses namingOthers(Path folder, InetSocketAddress node) throws IOException {
    List<ProxySpec> specs = specs(node);
    return new FleetProcesses(
        folder,
        specs.stream()
            .map(
                spec ->
                    spec.withPeers(
                        specs.stream()
                            .filter(other -> !other.equals(spec))
                            .map(ProxySpec::address)
                            .toList()))
            .toList());
  }

  private static List<ProxySpec> specs(InetSocketAddress node) throws IOException {
    List<ProxySpec> specs = new ArrayList<>();
    int port = FreePorts.next();
    for (int i = 0; i < COUNT; i++) {
      specs.add(
          new ProxySpec("p" + i, List.of(node), "datacenter1", port, FreePorts.next(), "")
              .at("127.0.0." + (FIRST + i)));
    }
    return specs;
  }

  /** Creates the keyspace of the fleet with three copies. */
  void initKeyspace(Path launcher) throws InterruptedException {
    ProxyProcess.initFleet(launcher, folder, specs.get(0), 3);
  }

  /** Starts a proxy that is not running, and waits until it serves. */
  void start(int proxy, Path launcher) throws InterruptedException {
    ProxyProcess process = ProxyProcess.start(launcher, folder, specs.get(proxy));
    if (proxy == processes.size()) {
      processes.add(process);
    } else {
      processes.set(proxy, process);
    }
  }

  /** Kills a proxy like a crash. */
  void kill(int proxy) throws InterruptedException {
    processes.get(proxy).kill();
  }

  /** Stops a proxy as an operator would. */
  void stop(int proxy) {
    processes.get(proxy).close();
  }

  /** Drops the keyspace of the fleet on the shared nodes. */
  static void dropKeyspace() {
    Target nodes = Stage.plain().direct();
    try (CqlSession session = JavaDriver.open(nodes, Wire.USUAL)) {
      new Place(session, nodes, "sluice").change("DROP KEYSPACE IF EXISTS sluice");
    }
  }

  /** Waits until all proxies know of each other. */
  void awaitMembers() {
    awaitMembersWithout(-1);
  }

  /** Waits until all proxies but one know of each other, and of no further one. */
  void awaitMembersWithout(int gone) {
    for (int i = 0; i < COUNT; i++) {
      if (i != gone) {
        awaitMetric(i, "sluice_fleet_members", gone < 0 ? COUNT : COUNT - 1);
      }
    }
  }

  /** Waits until a metric of a proxy has a value. */
  void awaitMetric(int proxy, String metric, int value) {
    String wanted = "\n" + metric + " " + value + ".0\n";
    await().atMost(START).until(() -> page(proxy, "/metrics").body().contains(wanted));
  }

  /** Returns the response of the admin port to {@code GET path}. */
  HttpResponse<String> page(int proxy, String path) throws IOException, InterruptedException {
    URI page = processes.get(proxy).admin().resolve(path);
    return http.send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.ofString());
  }

  /** Returns the addresses of all proxies. */
  List<InetSocketAddress> addresses() {
    return specs.stream().map(ProxySpec::address).toList();
  }

  @Override
  public void close() {
    processes.forEach(ProxyProcess::close);
  }
}
