package io.sluice.decide.rule;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.decide.rule.Rule.Limit;
import io.sluice.decide.rule.Rules.FleetView;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * The limits of all rules, divided among the proxies of a fleet. It writes this proxy's demand into
 * its heartbeats, and computes from those of the others what this proxy may use. It has no clock
 * and no thread. Safe for any thread.
 */
final class FleetLimits {

  /** Number of rules whose limits are divided; the limits of later rules hold for each proxy. */
  static final int MOST_RULES = 32;

  /** The first word of the text in a heartbeat. Text with another format is ignored. */
  private static final String FORMAT = "1";

  private static final int LONGEST = 16 << 10;
  private static final double MOST = 1e15;
  private static final double FADES = 0.9;
  private static final double SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final long HASH_BASE = 0xcbf29ce484222325L;
  private static final long HASH_PRIME = 0x100000001b3L;

  /**
   * Reads of the others' heartbeats after which a proxy has its part: one with its own row, one
   * with its demand, one more.
   */
  private static final int FIRST_LOOKS = 3;

  @GuardedBy("this")
  private int looks;

  /** Shares by the hash that identifies the rule. */
  @GuardedBy("this")
  private final Map<String, Shares> rules = new HashMap<>();

  /** The limits of one rule, and its use at the last heartbeat. */
  private static final class Shares {
    private final Map<Limit, FleetShare> limits = new EnumMap<>(Limit.class);
    private long atNanos;
    private long letIn;
    private long refused;
    private double perSecond;
    private long refusedConnections;
    private double unmet;

    /** Returns the rate of requests per second, let in or not. */
    double perSecond(QuotaUse use, long now) {
      long refusedNow = use.refused().values().stream().mapToLong(Long::longValue).sum();
      double seconds = Math.max(1, now - atNanos) / SECOND;
      double come = use.letIn() - letIn + (double) (refusedNow - refused);
      perSecond = (perSecond + come / seconds) / 2 + use.waiting() / 2.0;
      atNanos = now;
      letIn = use.letIn();
      refused = refusedNow;
      return perSecond;
    }

    /** Returns the open connections plus those refused recently. */
    double connections(RuleUse use) {
      long refusedNow = use.refusedConnections();
      unmet = Math.max(unmet * FADES, (double) (refusedNow - refusedConnections));
      refusedConnections = refusedNow;
      return use.connections() + (unmet < 1 ? 0 : unmet);
    }
  }

  /** Divides the limits of these rules, and of no others. */
  synchronized void follow(List<CompiledRule> now) {
    Map<String, Shares> before = Map.copyOf(rules);
    rules.clear();
    for (CompiledRule rule : now) {
      Map<Limit, Integer> limits = rule.rule().limits().byLimit();
      if (!limits.isEmpty() && rules.size() < MOST_RULES) {
        Shares shares = before.getOrDefault(id(rule), new Shares());
        shares.limits.keySet().retainAll(limits.keySet());
        limits.forEach(
            (limit, most) ->
                shares.limits.computeIfAbsent(limit, any -> share(limit, most)).limit(most));
        rules.put(id(rule), shares);
      }
    }
  }

  private static FleetShare share(Limit limit, int most) {
    return new FleetShare(most, limit == Limit.RANGE_READS || limit == Limit.CONNECTIONS);
  }

  /** Whether this proxy has its part of each limit, and not only the minimum. */
  synchronized boolean areDivided() {
    return rules.isEmpty() || looks >= FIRST_LOOKS;
  }

  /**
   * Returns what this proxy may use of a rule's limits now. Limits that are not in the result are
   * not divided.
   */
  synchronized Map<Limit, Double> allowed(CompiledRule rule) {
    Map<Limit, Double> allowed = new EnumMap<>(Limit.class);
    Shares shares = rules.get(id(rule));
    if (shares != null) {
      shares.limits.forEach((limit, share) -> allowed.put(limit, share.allowed()));
    }
    return allowed;
  }

  /** Returns the text about the rules for a heartbeat. */
  synchronized String say(long beat, List<CompiledRule> now, long nanos) {
    StringBuilder said = new StringBuilder(FORMAT);
    for (CompiledRule rule : now) {
      Shares shares = rules.get(id(rule));
      if (shares != null) {
        say(beat, rule, shares, nanos, said);
      }
    }
    return said.toString();
  }

  private static void say(
      long beat, CompiledRule rule, Shares shares, long nanos, StringBuilder into) {
    QuotaUse use = rule.use().quota().use(nanos);
    double perSecond = shares.perSecond(use, nanos);
    double rowsEach = use.letIn() == 0 ? 1 : Math.max(1, (double) use.rows() / use.letIn());
    shares.limits.forEach(
        (limit, share) -> {
          FleetShare.Said said =
              switch (limit) {
                case RANGE_READS ->
                    share.say(
                        beat, use.rangesUnderWay() + (double) use.waiting(), use.rangesUnderWay());
                case REQUESTS_PER_SECOND -> share.say(beat, perSecond, 0);
                case ROWS_PER_SECOND -> share.say(beat, perSecond * rowsEach, 0);
                case CONNECTIONS ->
                    share.say(beat, shares.connections(rule.use()), rule.use().connections());
                case ACTION -> throw new IllegalStateException("an action is no limit");
              };
          into.append(' ').append(id(rule)).append(':').append(limit.key()).append('=');
          into.append(String.format(Locale.ROOT, "%.2f/%.3f", said.demand(), said.held()));
        });
  }

  /** Takes over the others' heartbeats, read together with this proxy's own one. */
  synchronized void seen(FleetView view) {
    looks++;
    Map<UUID, Map<String, FleetShare.Said>> others = new TreeMap<>();
    view.others().forEach((instance, said) -> others.put(instance, read(said)));
    rules.forEach(
        (id, shares) ->
            shares.limits.forEach(
                (limit, share) ->
                    share.seen(view.beat(), seen(id + ':' + limit.key(), view.self(), others))));
  }

  private static FleetShare.Seen seen(
      String name, UUID self, Map<UUID, Map<String, FleetShare.Said>> others) {
    List<FleetShare.Said> said = new ArrayList<>();
    int place = 0;
    for (Map.Entry<UUID, Map<String, FleetShare.Said>> other : others.entrySet()) {
      FleetShare.Said of = other.getValue().get(name);
      if (of != null) {
        said.add(of);
        place += other.getKey().compareTo(self) < 0 ? 1 : 0;
      }
    }
    return new FleetShare.Seen(place, said);
  }

  /** Uses equal parts, because the other proxies cannot be seen. */
  synchronized void alone(int members) {
    looks = FIRST_LOOKS;
    rules.values().forEach(each -> each.limits.values().forEach(share -> share.alone(members)));
  }

  /** Parses the text of another proxy, and skips what is not understood. */
  private static Map<String, FleetShare.Said> read(String said) {
    Map<String, FleetShare.Said> all = new HashMap<>();
    if (said.length() > LONGEST || !said.startsWith(FORMAT + ' ')) {
      return all;
    }
    for (String each : said.substring(FORMAT.length() + 1).split(" ", -1)) {
      int equals = each.indexOf('=');
      int slash = each.indexOf('/');
      if (equals > 0 && slash > equals) {
        double demand = number(each.substring(equals + 1, slash));
        double held = number(each.substring(slash + 1));
        if (demand >= 0 && held >= 0) {
          all.put(each.substring(0, equals), new FleetShare.Said(demand, held));
        }
      }
    }
    return all;
  }

  /** Parses a number; below 0 if it is invalid. */
  private static double number(String text) {
    try {
      double number = Double.parseDouble(text);
      return number >= 0 && number <= MOST ? number : -1;
    } catch (NumberFormatException none) {
      return -1;
    }
  }

  /**
   * Returns an id of the rule that is the same at all proxies that have it, whatever other rules
   * they have.
   */
  private static String id(CompiledRule rule) {
    String name = rule.rule().name();
    String known = name == null ? rule.matchText() : "name " + name;
    long hash = HASH_BASE;
    for (byte each : known.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ each) * HASH_PRIME;
    }
    return Long.toHexString(hash);
  }
}
