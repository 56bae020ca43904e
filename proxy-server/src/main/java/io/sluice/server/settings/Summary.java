package io.sluice.server.settings;

import io.sluice.console.HostView.Setting;
import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.tls.TlsConfig.Mode;
import io.sluice.watch.ClusterProbe;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The summary of a configuration, in a few lines. Stateless. */
public final class Summary {

  private static final int MAX_KEYS = 50;
  private static final int MAX_VALUE = 100;

  private Summary() {}

  /** Returns a summary of all sections. */
  public static String of(Settings settings) {
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

  /** Returns a summary of the cluster that a probe has found. */
  public static String of(ClusterProbe.Found found) {
    StringBuilder text = new StringBuilder();
    line(text, "found", found.cluster());
    found.nodes().forEach(node -> line(text, "", node));
    return text.toString();
  }

  private static void line(StringBuilder text, String name, String value) {
    text.append(String.format(Locale.ROOT, "    %-12s%s%n", name, value));
  }

  private static String clients(CqlSettings cql) {
    String advertised =
        cql.advertise() == null ? "" : ", told to connect to " + join(List.of(cql.advertise()));
    String peers = cql.peers().isEmpty() ? "" : ", other proxies " + joined(cql.peers());
    String tls = cql.tls().mode() == Mode.OFF ? "" : ", TLS " + written(cql.tls().mode());
    return cql.host()
        + ":"
        + cql.port()
        + tls
        + ", at most "
        + cql.maxConnections()
        + advertised
        + peers;
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

  /** Returns the mode and the limits of reads, on one line. */
  public static String limits(Settings settings) {
    SchedulingConfig scheduling = settings.scheduling();
    return "mode "
        + written(scheduling.mode())
        + ", reads in flight per node "
        + slots(scheduling.concurrentReads())
        + ", of them range reads "
        + slots(scheduling.rangeSlots())
        + ", rules "
        + settings.rules().size();
  }

  /** Returns the keys that differ from their defaults, on one line, secrets hidden. */
  public static String notDefault(List<Setting> settings) {
    List<String> differing =
        settings.stream()
            .filter(each -> each.source() == Setting.Source.FILE)
            .filter(each -> !each.value().equalsIgnoreCase(each.defaultValue()))
            .map(each -> each.key() + "=" + shortened(each.value()))
            .toList();
    String all = differing.stream().limit(MAX_KEYS).collect(Collectors.joining(", "));
    int more = differing.size() - MAX_KEYS;
    return (all.isEmpty() ? "all settings have their defaults" : "changed from the default: " + all)
        + (more > 0 ? ", and " + more + " more" : "");
  }

  private static String shortened(String value) {
    return value.length() <= MAX_VALUE ? value : value.substring(0, MAX_VALUE) + "...";
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

  /** Returns a constant as written in the file. */
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
