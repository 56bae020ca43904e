package io.sluice.simulator;

import io.sluice.simulator.cluster.ClusterSetting;
import io.sluice.simulator.cluster.ClusterSetting.Costs;
import io.sluice.simulator.cluster.ClusterSetting.Data;
import io.sluice.simulator.cluster.ClusterSetting.Death;
import io.sluice.simulator.cluster.ClusterSetting.Fault;
import io.sluice.simulator.cluster.ClusterSetting.Hardware;
import io.sluice.simulator.cluster.ClusterSetting.Load;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** The options that describe a cluster; their defaults are the twelve-node setting. */
final class SettingOptions {
  private static final ClusterSetting DEFAULT = ClusterSetting.twelveNodes();
  private static final String NODE = "(?<node>\\d{1,9})";
  private static final String NUMBER = "\\d*[.]?\\d+";
  private static final String TIME = "(@(?<from>" + NUMBER + ")-(?<to>" + NUMBER + "))?";
  private static final Pattern SLOW = Pattern.compile(NODE + ":(?<speed>" + NUMBER + ")" + TIME);
  private static final Pattern DOWN = Pattern.compile(NODE + TIME);
  private static final Pattern KILL = Pattern.compile("(?<proxy>\\d{1,9})@(?<at>" + NUMBER + ")");
  private static final double ALWAYS = 1e9;

  @Option(names = "--nodes", paramLabel = "N", description = "1 to 1000")
  private int nodes = DEFAULT.hardware().nodes();

  @Option(names = "--cores", paramLabel = "N", description = "of each node")
  private double cores = DEFAULT.hardware().cores();

  @Option(names = "--read-threads", paramLabel = "N", description = "concurrent_reads of a node")
  private int readThreads = DEFAULT.hardware().readThreads();

  @Option(names = "--network-micros", paramLabel = "US", description = "one way, µs")
  private double networkMicros = DEFAULT.hardware().networkMicros();

  @Option(names = "--shared-cores", description = "all nodes share the cores of one machine")
  private boolean shared;

  @Option(
      names = "--crowding",
      paramLabel = "X",
      description = "n reads on c cores do the work of c / (1 + X (n/c - 1)) cores")
  private double crowding = DEFAULT.hardware().crowding();

  @Option(names = "--rf", paramLabel = "N", description = "replicas of each row")
  private int rf = DEFAULT.data().rf();

  @Option(names = "--vnodes", paramLabel = "N", description = "ranges of each node")
  private int vnodes = DEFAULT.data().vnodes();

  @Option(names = "--rows-per-range", paramLabel = "N", description = "on average")
  private double rowsPerRange = DEFAULT.data().rowsPerRange();

  @Option(
      names = "--unevenness",
      paramLabel = "SD",
      description = "of rows per token from range to range, as deviation of the logarithm")
  private double unevenness = DEFAULT.data().unevenness();

  @Option(
      names = "--estimate-error",
      paramLabel = "SD",
      description = "of the proxy's rows per range, as deviation of the logarithm")
  private double estimateError = DEFAULT.data().estimateError();

  @Option(names = "--fixed-micros", paramLabel = "US", description = "core time of any read, µs")
  private double fixedMicros = DEFAULT.costs().fixedMicros();

  @Option(names = "--row-micros", paramLabel = "US", description = "core time of a row, µs")
  private double rowMicros = DEFAULT.costs().rowMicros();

  @Option(
      names = "--noise",
      paramLabel = "SD",
      description = "of what the same read costs, as deviation of the logarithm")
  private double noise = DEFAULT.costs().noise();

  @Option(names = "--clients", paramLabel = "N", description = "closed loops; not with --rate")
  private int clients = DEFAULT.load().clients();

  @Option(names = "--rate", paramLabel = "N", description = "open loop: requests a second")
  private double rate;

  @Option(names = "--point-share", paramLabel = "P", description = "share of point reads, 0 to 1")
  private double pointShare = DEFAULT.load().pointShare();

  @Option(names = "--min-limit", paramLabel = "N", description = "the lowest LIMIT of range reads")
  private int minLimit = DEFAULT.load().minLimit();

  @Option(names = "--max-limit", paramLabel = "N", description = "the highest LIMIT of range reads")
  private int maxLimit = DEFAULT.load().maxLimit();

  @Option(names = "--tables", paramLabel = "N", description = "tables of equal data")
  private int tables = DEFAULT.load().tables();

  @Option(names = "--skew", paramLabel = "S", description = "Zipf exponent of keys' popularity")
  private double skew = DEFAULT.load().skew();

  @Option(names = "--small-share", paramLabel = "P", description = "of the range reads, 0 to 1")
  private double smallShare = DEFAULT.load().smallShare();

  @Option(
      names = "--small-limit",
      paramLabel = "N",
      description = "the highest LIMIT of small range reads, below --min-limit")
  private int smallLimit = DEFAULT.load().smallLimit();

  @Option(
      names = "--range-proxies",
      paramLabel = "N",
      description = "all range reads go to the first N proxies; 0: to each those of its clients")
  private int rangeProxies;

  @Option(names = "--warm-up", paramLabel = "S", description = "simulated seconds not counted")
  private double warmUp = DEFAULT.warmUpSeconds();

  @Option(names = "--seconds", paramLabel = "S", description = "simulated seconds counted")
  private double seconds = DEFAULT.seconds();

  @Option(
      names = "--slow",
      paramLabel = "NODE:SPEED[@FROM-TO]",
      description = "a node at a share of its speed, between these seconds or always; repeatable")
  private List<String> slow = List.of();

  @Option(
      names = "--down",
      paramLabel = "NODE[@FROM-TO]",
      description = "a node that is down between these seconds or always; repeatable")
  private List<String> down = List.of();

  @Option(
      names = "--kill",
      paramLabel = "PROXY@SECOND",
      description = "a proxy that dies then, counted from the beginning; repeatable")
  private List<String> kill = List.of();

  @Option(
      names = "--notice-millis",
      paramLabel = "MS",
      description =
          "after so long clients and proxies know of a death: 0 as when connections are closed,"
              + " longer as when a machine falls silent")
  private double notice = 1500;

  /** Returns the setting with this number of proxies. */
  ClusterSetting setting(int proxies) {
    return new ClusterSetting(
        new Hardware(nodes, cores, readThreads, networkMicros, shared, crowding),
        new Data(rf, vnodes, rowsPerRange, unevenness, estimateError),
        new Costs(fixedMicros, rowMicros, DEFAULT.costs().rowBytes(), noise),
        new Load(
            rate > 0 ? 0 : clients,
            rate,
            pointShare,
            minLimit,
            maxLimit,
            tables,
            skew,
            smallShare,
            smallLimit,
            Math.min(rangeProxies, proxies)),
        proxies,
        faults(),
        deaths(),
        warmUp,
        seconds,
        1);
  }

  private List<Death> deaths() {
    List<Death> deaths = new ArrayList<>();
    for (String text : kill) {
      Matcher match = match(KILL, "--kill", text);
      double at = Double.parseDouble(match.group("at"));
      deaths.add(new Death(Integer.parseInt(match.group("proxy")), at, notice / 1000));
    }
    return deaths;
  }

  private List<Fault> faults() {
    List<Fault> faults = new ArrayList<>();
    for (String text : slow) {
      Matcher match = match(SLOW, "--slow", text);
      faults.add(fault(match, Double.parseDouble(match.group("speed"))));
    }
    for (String text : down) {
      faults.add(fault(match(DOWN, "--down", text), 0));
    }
    return faults;
  }

  private static Fault fault(Matcher match, double speed) {
    int node = Integer.parseInt(match.group("node"));
    boolean always = match.group("from") == null;
    double from = always ? 0 : Double.parseDouble(match.group("from"));
    double to = always ? ALWAYS : Double.parseDouble(match.group("to"));
    return new Fault(node, speed, from, to);
  }

  private static Matcher match(Pattern pattern, String option, String text) {
    Matcher match = pattern.matcher(text);
    if (!match.matches()) {
      throw new IllegalArgumentException(option + ": '" + text + "' is not understood");
    }
    return match;
  }
}
