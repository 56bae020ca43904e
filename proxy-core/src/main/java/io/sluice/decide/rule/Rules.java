package io.sluice.decide.rule;

import io.sluice.decide.classify.Classified;
import io.sluice.time.NanoClock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rules that hold now. The first one that matches a request is the one that it is subject to.
 * Safe for any thread; a {@link RuleSession} is its lane's.
 */
public final class Rules {

  private static final Rule.Limits UNLIMITED = Rule.Limits.NONE;

  private final NanoClock clock;
  private volatile RuleBook book;

  /** Null while limits hold for this proxy. */
  private volatile @Nullable FleetLimits fleet;

  /**
   * These hold.
   *
   * @throws io.sluice.setting.RefusedSettings as {@link #check}
   */
  public Rules(List<Rule> rules, NanoClock clock) {
    check(rules);
    this.clock = clock;
    this.book = new RuleBook(CompiledRule.of(rules, Map.of(), clock.nanoTime()));
  }

  /**
   * Does nothing if all rules can be used.
   *
   * @throws io.sluice.setting.RefusedSettings with everything that is wrong, by key
   */
  public static void check(List<Rule> rules) {
    RuleCheck.check(rules);
  }

  /** Whether there is none: then nothing of this need be called for a request. */
  public boolean isEmpty() {
    return book.isEmpty();
  }

  /**
   * Other rules hold from now on, for the next request of each client. What is under way goes on. A
   * rule of the same name, or without a name of the same matchers, goes on counting; what waits for
   * a rule that is gone is let in. One call at a time.
   */
  public synchronized void change(List<Rule> next) {
    check(next);
    long now = clock.nanoTime();
    Map<Object, RuleUse> before = new HashMap<>();
    book.rules().forEach(rule -> before.put(rule.key(), rule.use()));
    List<CompiledRule> compiled = CompiledRule.of(next, before, now);
    book = new RuleBook(compiled);
    follow(fleet);
    compiled.forEach(rule -> before.remove(rule.key()));
    compiled.forEach(rule -> rule.use().quota().change(rule.rule().limits(), now));
    before.values().forEach(gone -> gone.quota().change(UNLIMITED, now));
  }

  /**
   * Limits hold for all proxies of a fleet together from now on. Until the others are seen, this
   * one uses a tenth of each.
   */
  public synchronized void inFleet() {
    FleetLimits divided = new FleetLimits();
    follow(divided);
    fleet = divided;
  }

  private void follow(@Nullable FleetLimits divided) {
    if (divided != null) {
      divided.follow(book.rules());
      allow(divided);
    }
  }

  private void allow(FleetLimits divided) {
    long now = clock.nanoTime();
    book.rules().forEach(rule -> rule.use().allow(divided.allowed(rule), now));
  }

  /** Whether this proxy has its part of each limit; true where limits are not divided. */
  public boolean areDivided() {
    FleetLimits divided = fleet;
    return divided == null || divided.areDivided();
  }

  /** What this proxy tells the others of its use of limits, with the heartbeat of that number. */
  public String fleetSays(long beat) {
    FleetLimits divided = fleet;
    if (divided == null) {
      return "";
    }
    String said = divided.say(beat, book.rules(), clock.nanoTime());
    allow(divided);
    return said;
  }

  /** Takes what the others say of their use, and divides the limits by it. */
  public void fleetSeen(FleetView view) {
    FleetLimits divided = fleet;
    if (divided != null) {
      divided.seen(view);
      allow(divided);
    }
  }

  /**
   * The others cannot be seen: each uses its part in equal shares, or more if it had more.
   *
   * @param members the proxies that were seen last, this one too; at least 1
   */
  public void fleetAlone(int members) {
    FleetLimits divided = fleet;
    if (divided != null) {
      divided.alone(members);
      allow(divided);
    }
  }

  /** The rules as they are for a client that has just logged in. */
  public RuleSession session(SessionFacts client) {
    return new RuleSession(client, book);
  }

  /** Counts a connection that has logged in; the reason why it is refused, or null. */
  public @Nullable String connect(RuleSession session) {
    session.follow(book);
    return session.connect();
  }

  /** The connection is gone. */
  public void disconnect(RuleSession session) {
    session.disconnect();
  }

  /** What a request is subject to, which is counted; null when no rule is for it. */
  public @Nullable Ruling ruling(RuleSession session, Classified statement) {
    session.follow(book);
    return session.ruling(statement);
  }

  /** The rule that a request would be subject to, in words; null when no rule is for it. */
  public @Nullable String explain(RuleSession session, Classified statement) {
    session.follow(book);
    CompiledRule rule = session.rule(statement);
    return rule == null ? null : rule.name() + " (" + rule.matchText() + "): " + rule.effectText();
  }

  /** All rules and their use now, in their order. */
  public List<RuleFacts> facts() {
    long now = clock.nanoTime();
    return book.rules().stream().map(rule -> rule.facts(now)).toList();
  }
}
