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
 * A fleet of proxies, each with its share of the clients. A client stays with one proxy as long as
 * that lives. Not safe for several threads.
 */
final class ProxyFleet implements Target {

  /**
   * Deviation of the estimates of a known table: actual rows are a few more or fewer. To the
   * planner, no deviation at all means that nothing was learned.
   */
  private static final double MIN_DEVIATION = 0.01;

  /** Limit on the bytes that a proxy reads together. */
  private static final int MAX_TOGETHER = 8 << 20;

  /** Rows that a read carries for others, however short it is: a few ms of work. */
  private static final int SPARE_ROWS = 500;

  private final SimCluster cluster;
  private final List<Member> proxies = new ArrayList<>();
  private final int rangeProxies;
  private final SlotHeartbeats heartbeats;

  /** A proxy, the reads of its clients, and whether the others count it as a member. */
  private static final class Member {
    private final Station station;
    private final Set<Delivery> underWay = new LinkedHashSet<>();
    private boolean isMember = true;

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
            new SimProxy(cluster, config, setting.hardware().readThreads(), variant.isSluice()));
  }

  /** Creates a fleet of proxies that the caller supplies. */
  ProxyFleet(
      SimCluster cluster,
      ClusterSetting setting,
      Variant variant,
      Function<SchedulingConfig, SimProxy> made) {
    this.cluster = cluster;
    int rangeProxies = setting.load().rangeProxies();
    this.rangeProxies = rangeProxies == 0 ? setting.proxies() : rangeProxies;
    this.heartbeats = new SlotHeartbeats(cluster.time());
    SchedulingConfig config = variant.scheduling(setting.hardware(), setting.proxies());
    double sigma = Math.max(MIN_DEVIATION, setting.data().estimateError());
    RangeStatement statement = new RangeStatement(variant.split(), cluster.layout(), sigma);
    int mostRows = Math.max(1, MAX_TOGETHER / setting.costs().rowBytes());
    ShareRule rule =
        variant.split().shareScans() ? new ShareRule(cluster.layout(), mostRows, SPARE_ROWS) : null;
    for (int i = 0; i < setting.proxies(); i++) {
      UUID id = new UUID(i, 0);
      SimProxy proxy = made.apply(config);
      proxies.add(new Member(new Station(id, proxy, variant.fleet(), statement, rule)));
      if (variant.divides()) {
        heartbeats.add(id, proxy, setting.proxies());
      }
    }
    tellMembers();
  }

  @Override
  public void send(int client, Read read, Answer answer) {
    Member member = proxies.get(client % (read.point() ? proxies.size() : rangeProxies));
    for (int next = 1; !member.isMember && next < proxies.size(); next++) {
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
    gone.isMember = false;
    tellMembers();
    List<Delivery> open = List.copyOf(gone.underWay);
    gone.underWay.clear();
    open.forEach(Delivery::repeat);
    List<SharableAttempt> guests = List.copyOf(gone.station.guests());
    gone.station.guests().clear();
    guests.forEach(SharableAttempt::leaveHome);
    guests.forEach(SharableAttempt::moveToNextHome);
  }

  @Override
  public double rangeSlots() {
    return proxies.stream()
        .filter(each -> each.isMember)
        .mapToDouble(each -> each.station.proxy().rangeSlots())
        .average()
        .orElse(0);
  }

  private void tellMembers() {
    Map<UUID, Station> stations = new HashMap<>();
    for (Member member : proxies) {
      if (member.isMember) {
        stations.put(member.station.id(), member.station);
      }
    }
    HomeProxies homes = new HomeProxies(stations.keySet(), Layout.ids(cluster.size()));
    stations.values().forEach(each -> each.members(homes, stations::get));
  }

  /**
   * A client's read at one proxy. It is sent once more if that proxy dies; the client gets one
   * answer.
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

    /** Sends the read again, like a driver whose connection closes. */
    void repeat() {
      done = true;
      if (exchange != null) {
        exchange.forget();
      }
      cluster.send(() -> send(client, read, answer));
    }

    @Override
    public void rows(long count) {
      if (end()) {
        answer.rows(count);
      }
    }

    @Override
    public void failed(Failure failure) {
      if (end()) {
        answer.failed(failure);
      }
    }

    /** Ends the delivery. Returns whether it had not ended before. */
    private boolean end() {
      boolean first = !done;
      done = true;
      member.underWay.remove(this);
      return first;
    }
  }
}
