package io.sluice.simulator.cluster;

import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.decide.share.ShareRule;
import io.sluice.fleet.HomeProxies;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Proxies, each with its share of the clients; a client stays with one as long as it lives. Not
 * safe for several threads.
 */
final class ProxyFleet implements Target {

  /**
   * A proxy that knows a table well still finds a few rows more or fewer than it thought. No
   * deviation at all means to the planner that nothing was learned yet.
   */
  private static final double LEAST_DEVIATION = 0.01;

  /** What the proxy reads together at most, bytes. */
  private static final int MOST_TOGETHER = 8 << 20;

  /** Rows that a read carries for others however short it is: a few ms of work. */
  private static final int SPARE_ROWS = 500;

  private final SimCluster cluster;
  private final List<Member> proxies = new ArrayList<>();

  /** A proxy, the reads of its clients, and whether the others know that it is gone. */
  private static final class Member {
    private final Station station;
    private final Set<Delivery> underWay = new LinkedHashSet<>();
    private boolean known = true;

    Member(Station station) {
      this.station = station;
    }
  }

  ProxyFleet(SimCluster cluster, ClusterSetting setting, Variant variant) {
    this(
        cluster,
        setting,
        variant,
        config ->
            new SimProxy(
                cluster,
                config,
                variant.slots(setting.hardware().readThreads(), setting.proxies()),
                variant.isSluice()));
  }

  /** The same with proxies that someone else looks at. */
  ProxyFleet(
      SimCluster cluster,
      ClusterSetting setting,
      Variant variant,
      Function<SchedulingConfig, SimProxy> made) {
    this.cluster = cluster;
    SchedulingConfig config = variant.scheduling(setting.hardware(), setting.proxies());
    double sigma = Math.max(LEAST_DEVIATION, setting.data().estimateError());
    RangeStatement statement = new RangeStatement(variant.split(), cluster.layout(), sigma);
    int mostRows = Math.max(1, MOST_TOGETHER / setting.costs().rowBytes());
    ShareRule rule =
        variant.split().shareScans() ? new ShareRule(cluster.layout(), mostRows, SPARE_ROWS) : null;
    for (int i = 0; i < setting.proxies(); i++) {
      UUID id = new UUID(i, 0);
      SimProxy proxy = made.apply(config);
      proxies.add(new Member(new Station(id, proxy, variant.fleet(), statement, rule)));
    }
    tellMembers();
  }

  @Override
  public void send(int client, Read read, Answer answer) {
    Member member = proxies.get(client % proxies.size());
    for (int next = 1; !member.known && next < proxies.size(); next++) {
      member = proxies.get((client + next) % proxies.size());
    }
    new Delivery(member, client, read, answer).start();
  }

  @Override
  public void nodeChanged(int node, boolean up) {
    proxies.forEach(each -> each.station.proxy().nodeChanged(node, up));
  }

  @Override
  public void proxyDies(int proxy) {
    proxies.get(proxy).station.proxy().die();
  }

  @Override
  public void deathIsKnown(int proxy) {
    Member gone = proxies.get(proxy);
    gone.known = false;
    tellMembers();
    List<Delivery> open = List.copyOf(gone.underWay);
    gone.underWay.clear();
    open.forEach(Delivery::repeat);
    List<ProxyRangeRead.Attempt> guests = List.copyOf(gone.station.guests());
    gone.station.guests().clear();
    guests.forEach(ProxyRangeRead.Attempt::leaveHome);
    guests.forEach(ProxyRangeRead.Attempt::askAnew);
  }

  @Override
  public double rangeSlots() {
    return proxies.stream()
        .filter(each -> each.known)
        .mapToDouble(each -> each.station.proxy().rangeSlots())
        .average()
        .orElse(0);
  }

  private void tellMembers() {
    Map<UUID, Station> stations = new HashMap<>();
    for (Member member : proxies) {
      if (member.known) {
        stations.put(member.station.id(), member.station);
      }
    }
    HomeProxies homes = new HomeProxies(stations.keySet());
    stations.values().forEach(each -> each.members(homes, stations::get));
  }

  /**
   * A client's read at one proxy, to be sent once more if that dies; the client gets one answer.
   */
  private final class Delivery implements Answer {
    private final Member member;
    private final int client;
    private final Read read;
    private final Answer answer;
    private @Nullable Exchange exchange;
    private boolean done;

    Delivery(Member member, int client, Read read, Answer answer) {
      this.member = member;
      this.client = client;
      this.read = read;
      this.answer = answer;
    }

    void start() {
      member.underWay.add(this);
      if (member.station.proxy().isDead()) {
        return;
      }
      if (read.point()) {
        ProxyPointRead point = new ProxyPointRead(member.station.proxy(), read, this);
        exchange = point;
        point.start();
      } else {
        ProxyRangeRead range = new ProxyRangeRead(member.station, read, this);
        exchange = range;
        range.start();
      }
    }

    /** As a driver does when its connection closes. */
    void repeat() {
      done = true;
      if (exchange != null) {
        exchange.forget();
      }
      cluster.send(() -> send(client, read, answer));
    }

    @Override
    public void rows(long count) {
      if (over()) {
        answer.rows(count);
      }
    }

    @Override
    public void failed(Failure failure) {
      if (over()) {
        answer.failed(failure);
      }
    }

    private boolean over() {
      boolean first = !done;
      done = true;
      member.underWay.remove(this);
      return first;
    }
  }
}
