package io.sluice.server;

import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.tls.TlsConfig.Mode;
import io.sluice.watch.ClusterProbe;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The summary of a configuration, in a few lines. */
final class Summary {

  private Summary() {}

  static String of(Settings settings) {
    StringBuilder text = new StringBuilder();
    line(text, "clients", clients(settings.cql()));
    line(text, "cluster", cluster(settings.cluster()));
    line(text, "scheduling", scheduling(settings.scheduling()));
    line(text, "timeouts", timeouts(settings));
    AdminSettings admin = settings.admin();
    String guard = admin.token() == null ? "" : ", with a token";
    line(text, "admin", admin.scheme() + "://" + admin.host() + ":" + admin.port() + "/" + guard);
    return text.toString();
  }

  /** What a probe of the cluster has found. */
  static String of(ClusterProbe.Found found) {
    StringBuilder text = new StringBuilder();
    line(text, "found", found.cluster());
    found.nodes().forEach(node -> line(text, "", node));
    return text.toString();
  }

  private static void line(StringBuilder text, String name, String value) {
    text.append(String.format(Locale.ROOT, "    %-12s%s%n", name, value));
  }

  private static String clients(CqlSettings cql) {
    String told =
        cql.advertise() == null ? "" : ", told to connect to " + join(List.of(cql.advertise()));
    String peers = cql.peers().isEmpty() ? "" : ", other proxies " + joined(cql.peers());
    String tls = cql.tls().mode() == Mode.OFF ? "" : ", TLS " + written(cql.tls().mode());
    return cql.host() + ":" + cql.port() + tls + ", at most " + cql.maxConnections() + told + peers;
  }

  private static String cluster(ClusterSettings cluster) {
    ClusterSettings.Login login = cluster.credentials();
    return join(cluster.contactPoints())
        + " in "
        + cluster.localDatacenter()
        + (login == null ? ", no credentials" : ", as " + login.username())
        + (cluster.tls().mode() == Mode.OFF ? "" : ", TLS")
        + (cluster.tls().mode() != Mode.OFF && !cluster.tls().verifyHost()
            ? " without verification of hosts"
            : "");
  }

  private static String scheduling(SchedulingConfig scheduling) {
    return written(scheduling.mode())
        + ", range order "
        + written(scheduling.rangeOrder())
        + (scheduling.pointPriority() ? ", point reads first" : ", one queue for all reads")
        + ", in flight per node "
        + slots(scheduling.concurrentReads())
        + ", of them range reads "
        + slots(scheduling.rangeSlots());
  }

  private static String slots(int count) {
    return count == 0 ? "automatic" : String.valueOf(count);
  }

  private static String timeouts(Settings settings) {
    SchedulingConfig scheduling = settings.scheduling();
    return "point read "
        + timeout(scheduling.readTimeout())
        + ", range read "
        + timeout(scheduling.rangeTimeout())
        + ", others "
        + timeout(settings.requestTimeout())
        + ", drain "
        + SettingsFormat.text(settings.drainTimeout());
  }

  private static String timeout(@Nullable Duration set) {
    return set == null ? "as the nodes" : SettingsFormat.text(set);
  }

  /** A constant as the file has it. */
  static String written(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static String joined(List<Peer> peers) {
    return peers.stream().map(Peer::toString).collect(Collectors.joining(", "));
  }

  private static String join(List<InetSocketAddress> addresses) {
    return addresses.stream().map(SettingsFormat::text).collect(Collectors.joining(", "));
  }
}
