package io.sluice.decide.rule;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.decide.divide.FleetShare;
import io.sluice.decide.divide.FleetValues;
import io.sluice.decide.divide.FleetView;
import io.sluice.decide.rule.Rule.Limit;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The limits of all rules, divided among the proxies of a fleet. It writes this proxy's demand into
 * its heartbeats, and computes from those of the others what this proxy may use. It has no clock
 * and no thread. Safe for any thread.
 */
final class FleetLimits {

  /** Number of rules whose limits are divided; the limits of later rules hold for each proxy. */
  static final int MAX_RULES = 32;

  private static final double FADES = 0.9;
  private static final double SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final long HASH_BASE = 0xcbf29ce484222325L;
  private static final long HASH_PRIME = 0x100000001b3L;

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
      if (!limits.isEmpty() && rules.size() < MAX_RULES) {
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

  /**
   * Whether this proxy has its part of each limit, and not only the minimum. Without limits too, it
   * takes these looks until the others know this proxy.
   */
  synchronized boolean areDivided() {
    return looks >= FleetShare.FIRST_LOOKS;
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
  synchronized String text(long beat, List<CompiledRule> now, long nanos) {
    StringBuilder text = new StringBuilder(FleetValues.FORMAT);
    for (CompiledRule rule : now) {
      Shares shares = rules.get(id(rule));
      if (shares != null) {
        append(beat, rule, shares, nanos, text);
      }
    }
    return text.toString();
  }

  private static void append(
      long beat, CompiledRule rule, Shares shares, long nanos, StringBuilder into) {
    QuotaUse use = rule.use().quota().use(nanos);
    double perSecond = shares.perSecond(use, nanos);
    double rowsEach = use.letIn() == 0 ? 1 : Math.max(1, (double) use.rows() / use.letIn());
    shares.limits.forEach(
        (limit, share) -> {
          FleetShare.Published published =
              switch (limit) {
                case RANGE_READS ->
                    share.publish(
                        beat, use.rangesUnderWay() + (double) use.waiting(), use.rangesUnderWay());
                case REQUESTS_PER_SECOND -> share.publish(beat, perSecond, 0);
                case ROWS_PER_SECOND -> share.publish(beat, perSecond * rowsEach, 0);
                case CONNECTIONS ->
                    share.publish(beat, shares.connections(rule.use()), rule.use().connections());
                case ACTION -> throw new IllegalStateException("an action is no limit");
              };
          into.append(FleetValues.entry(id(rule) + ':' + limit.key(), published));
        });
  }

  /** Takes over the others' heartbeats, read together with this proxy's own one. */
  synchronized void received(FleetView view) {
    looks++;
    FleetValues values = FleetValues.read(view);
    rules.forEach(
        (id, shares) ->
            shares.limits.forEach(
                (limit, share) -> share.received(view.beat(), values.of(id + ':' + limit.key()))));
  }

  /** Uses equal parts, because the other proxies cannot be reached. */
  synchronized void othersUnreachable(int members) {
    looks = FleetShare.FIRST_LOOKS;
    rules
        .values()
        .forEach(each -> each.limits.values().forEach(share -> share.othersUnreachable(members)));
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
