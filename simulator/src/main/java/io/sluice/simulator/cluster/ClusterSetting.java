package io.sluice.simulator.cluster;

import java.util.List;

/**
 * One setting to simulate, with or without a proxy.
 *
 * @param hardware the nodes
 * @param data the distribution of data
 * @param costs the costs of reads
 * @param load the requests of clients
 * @param proxies proxies, each with its share of the clients; 1 to 64
 * @param faults the faults of nodes
 * @param deaths the proxies that die
 * @param warmUpSeconds simulated time before the measurement; at least 0
 * @param seconds simulated time of the measurement; above 0
 * @param seed the seed of the random numbers
 */
public record ClusterSetting(
    Hardware hardware,
    Data data,
    Costs costs,
    Load load,
    int proxies,
    List<Fault> faults,
    List<Death> deaths,
    double warmUpSeconds,
    double seconds,
    long seed) {

  /**
   * The nodes.
   *
   * @param nodes number of nodes; 1 to 1,000
   * @param cores of each node, or of the machine that they share; above 0
   * @param readThreads reads that a node runs at once, further ones wait in order of arrival; at
   *     least 1
   * @param networkMicros one-way delay between any two machines, µs; at least 0
   * @param shared whether all nodes share the cores of one machine
   * @param crowding loss when more reads run than there are cores: n reads on c cores do c / (1 +
   *     crowding · (n / c − 1)) cores' work; 0: no loss
   */
  public record Hardware(
      int nodes,
      double cores,
      int readThreads,
      double networkMicros,
      boolean shared,
      double crowding) {

    public Hardware {
      require(nodes >= 1 && nodes <= 1000, "--nodes: 1 to 1000");
      require(cores > 0, "--cores: above 0");
      require(readThreads >= 1, "--read-threads: at least 1");
      require(networkMicros >= 0, "--network-micros: at least 0");
      require(crowding >= 0, "--crowding: at least 0");
    }
  }

  /**
   * The distribution of data. Rows are spread evenly within a range.
   *
   * @param rf replicas of each row, on the next nodes of the ring; at least 1
   * @param vnodes ranges of each node; at least 1
   * @param rowsPerRange mean rows of a range; above 0
   * @param unevenness standard deviation of the logarithm of rows per token from range to range
   * @param estimateError standard deviation of the logarithm of (rows / rows estimated by the
   *     proxy) from range to range; stock's own rule has no such error here
   */
  public record Data(
      int rf, int vnodes, double rowsPerRange, double unevenness, double estimateError) {

    public Data {
      require(rf >= 1, "--rf: at least 1");
      require(vnodes >= 1 && vnodes <= 256, "--vnodes: 1 to 256");
      require(rowsPerRange > 0, "--rows-per-range: above 0");
      require(unevenness >= 0 && unevenness <= 3, "--unevenness: 0 to 3");
      require(estimateError >= 0 && estimateError <= 3, "--estimate-error: 0 to 3");
    }
  }

  /**
   * The cost of a read of n rows on one core: {@code (fixed + n · row) · e^(noise · N(0, 1))}.
   *
   * @param fixedMicros fixed cost, µs
   * @param rowMicros cost per row, µs
   * @param rowBytes size of a row in an answer
   * @param noise standard deviation of the logarithm
   */
  public record Costs(double fixedMicros, double rowMicros, int rowBytes, double noise) {

    public Costs {
      require(fixedMicros > 0 && rowMicros > 0, "--fixed-micros, --row-micros: above 0");
      require(noise >= 0 && noise <= 2, "--noise: 0 to 2");
    }
  }

  /**
   * The requests of clients: one partition, or rows from a token on with a LIMIT, where {@code
   * minLimit} to {@code maxLimit} are equally likely, and 1 to {@code smallLimit} for a share of
   * the range reads.
   *
   * @param clients closed loops, each with one request in flight; 0 for an open loop
   * @param rate requests a second of the open loop, as two independent Poisson processes
   * @param pointShare share of point reads, 0 to 1
   * @param minLimit the lowest LIMIT; at least 1
   * @param maxLimit the highest LIMIT
   * @param tables tables of equal data, each read equally often; the proxy learns the costs of each
   * @param skew skew of the keys' popularity, the exponent of Zipf's law; 0: uniform
   * @param smallShare share of small reads among the range reads, 0 to 1
   * @param smallLimit the highest LIMIT of small range reads, below {@code minLimit}; 0 if there
   *     are none
   * @param rangeProxies number of proxies that get all range reads; 0: each gets those of its
   *     clients
   */
  public record Load(
      int clients,
      double rate,
      double pointShare,
      int minLimit,
      int maxLimit,
      int tables,
      double skew,
      double smallShare,
      int smallLimit,
      int rangeProxies) {

    public Load {
      require(clients >= 0 && clients <= 1_000_000, "--clients: 0 to 1000000");
      require(clients > 0 || rate > 0, "--rate: above 0 without --clients");
      require(pointShare >= 0 && pointShare <= 1, "--point-share: 0 to 1");
      require(maxLimit >= 1, "--max-limit: at least 1");
      require(minLimit >= 1 && minLimit <= maxLimit, "--min-limit: 1 to --max-limit");
      require(tables >= 1 && tables <= 100_000, "--tables: 1 to 100000");
      require(skew >= 0 && skew <= 2, "--skew: 0 to 2");
      require(smallShare >= 0 && smallShare <= 1, "--small-share: 0 to 1");
      require(
          smallShare == 0 ? smallLimit == 0 : smallLimit >= 1 && smallLimit < minLimit,
          "--small-limit: 1 to below --min-limit, with --small-share only");
    }

    /** Creates a load of one table, with range reads of LIMIT 1 to {@code maxLimit}. */
    public Load(int clients, double rate, double pointShare, int maxLimit, double skew) {
      this(clients, rate, pointShare, 1, maxLimit, 1, skew, 0, 0, 0);
    }

    /** Returns this load with a share of small range reads, of LIMIT 1 to {@code limit}. */
    public Load withSmall(double share, int limit) {
      return new Load(
          clients, rate, pointShare, minLimit, maxLimit, tables, skew, share, limit, rangeProxies);
    }

    /** Returns this load with all range reads at the first {@code other} proxies; 0: at all. */
    public Load withRangeProxies(int other) {
      return new Load(
          clients,
          rate,
          pointShare,
          minLimit,
          maxLimit,
          tables,
          skew,
          smallShare,
          smallLimit,
          other);
    }
  }

  public ClusterSetting {
    faults = List.copyOf(faults);
    deaths = List.copyOf(deaths);
    require(data.rf() <= hardware.nodes(), "--rf: at most --nodes");
    require(proxies >= 1 && proxies <= 64, "--proxies: 1 to 64");
    require(
        load.rangeProxies() >= 0 && load.rangeProxies() <= proxies,
        "--range-proxies: 0 to the number of --proxies");
    require(warmUpSeconds >= 0 && seconds > 0, "--warm-up: at least 0; --seconds: above 0");
    for (Fault fault : faults) {
      require(fault.node() <= hardware.nodes(), "--slow, --down: there is no node " + fault.node());
    }
    require(
        deaths.stream().map(Death::proxy).distinct().count() == deaths.size(),
        "--kill: a proxy dies once");
    for (Death death : deaths) {
      require(
          death.proxy() <= proxies,
          "--kill: there is no proxy " + death.proxy() + " of " + proxies);
    }
  }

  /**
   * Returns the twelve-node setting: eight cores and 32 read threads a node, three replicas, and
   * one range of about 200 rows of 1 KB a node, so that range reads are as wide as the paper's. It
   * has 1,000 closed-loop clients; half their reads are point reads, half range reads of up to
   * 2,000 rows. The proxy knows the distribution of rows.
   */
  public static ClusterSetting twelveNodes() {
    return new ClusterSetting(
        new Hardware(12, 8, 32, 100, false, 0),
        new Data(3, 1, 200, 0, 0),
        new Costs(200, 10, 1000, 0.3),
        new Load(1000, 0, 0.5, 2000, 0),
        1,
        List.of(),
        List.of(),
        5,
        10,
        1);
  }

  /** Returns this setting with another load. */
  public ClusterSetting with(Load other) {
    return new ClusterSetting(
        hardware, data, costs, other, proxies, faults, deaths, warmUpSeconds, seconds, seed);
  }

  /** Returns this setting with other hardware. */
  public ClusterSetting with(Hardware other) {
    return new ClusterSetting(
        other, data, costs, load, proxies, faults, deaths, warmUpSeconds, seconds, seed);
  }

  /** Returns this setting with other data. */
  public ClusterSetting with(Data other) {
    return new ClusterSetting(
        hardware, other, costs, load, proxies, faults, deaths, warmUpSeconds, seconds, seed);
  }

  /** Returns this setting with other costs. */
  public ClusterSetting with(Costs other) {
    return new ClusterSetting(
        hardware, data, other, load, proxies, faults, deaths, warmUpSeconds, seconds, seed);
  }

  /** Returns this setting with another number of proxies. */
  public ClusterSetting withProxies(int other) {
    return new ClusterSetting(
        hardware, data, costs, load, other, faults, deaths, warmUpSeconds, seconds, seed);
  }

  /** Returns this setting with other faults. */
  public ClusterSetting withFaults(List<Fault> others) {
    return new ClusterSetting(
        hardware, data, costs, load, proxies, others, deaths, warmUpSeconds, seconds, seed);
  }

  /** Returns this setting with proxies that die. */
  public ClusterSetting withDeaths(List<Death> others) {
    return new ClusterSetting(
        hardware, data, costs, load, proxies, faults, others, warmUpSeconds, seconds, seed);
  }

  /** Returns this setting with other durations. */
  public ClusterSetting during(double otherWarmUpSeconds, double otherSeconds) {
    return new ClusterSetting(
        hardware,
        data,
        costs,
        load,
        proxies,
        faults,
        deaths,
        otherWarmUpSeconds,
        otherSeconds,
        seed);
  }

  /** Returns this setting with another seed. */
  public ClusterSetting withSeed(long other) {
    return new ClusterSetting(
        hardware, data, costs, load, proxies, faults, deaths, warmUpSeconds, seconds, other);
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException(otherwise);
    }
  }

  /**
   * The death of a proxy. Its clients send their unanswered reads once more, to another proxy, as
   * drivers do with idempotent reads. The other proxies send again what waited at it.
   *
   * @param proxy its number, from 1
   * @param atSeconds when it dies
   * @param noticeSeconds time until clients and proxies notice: 0 when its machine closes its
   *     connections, longer when only silence tells
   */
  public record Death(int proxy, double atSeconds, double noticeSeconds) {

    public Death {
      if (proxy < 1 || !(atSeconds >= 0) || !(noticeSeconds >= 0)) {
        throw new IllegalArgumentException("--kill: a proxy from 1, and times of at least 0");
      }
    }
  }

  /**
   * A fault: a node that is slow or down for a time. A node that goes down loses its requests. All
   * clients notice at once, as when connections are closed.
   *
   * @param node its number, from 1
   * @param speed its speed as a share of the usual one, 0 to 1; 0: it is down
   * @param fromSeconds begin of the fault
   * @param toSeconds end of the fault
   */
  public record Fault(int node, double speed, double fromSeconds, double toSeconds) {

    public Fault {
      if (node < 1
          || !(speed >= 0)
          || speed > 1
          || !(fromSeconds >= 0 && fromSeconds < toSeconds)) {
        throw new IllegalArgumentException(
            "--slow, --down: a node from 1, a speed from 0 to 1, and a time that ends after it began");
      }
    }
  }
}
