package io.sluice.decide.rule;

import io.sluice.decide.classify.Classified;
import io.sluice.decide.divide.FleetView;
import io.sluice.time.NanoClock;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The active rules. The first rule that matches a request applies to it. Safe for any thread; a
 * {@link RuleSession} belongs to its lane.
 */
public final class Rules {

  private static final Rule.Limits UNLIMITED = Rule.Limits.NONE;

  private final NanoClock clock;
  private volatile RuleBook book;

  /** The connections that have logged in, which a change of rules counts again. */
  private final Set<OpenConnection> open = ConcurrentHashMap.newKeySet();

  /** Called with the data centres that new rules name, before these apply. */
  private volatile Consumer<Set<String>> datacenters = names -> {};

  /** Null while limits hold for this proxy alone. */
  private volatile @Nullable FleetLimits fleet;

  /**
   * Creates an instance with these rules.
   *
   * @throws io.sluice.setting.RefusedSettings as {@link #check}
   */
  public Rules(List<Rule> rules, NanoClock clock) {
    check(rules);
    this.clock = clock;
    this.book = new RuleBook(CompiledRule.of(rules, Map.of(), clock.nanoTime()));
  }

  /**
   * Checks that all rules can be used.
   *
   * @throws io.sluice.setting.RefusedSettings with all faults, by key
   */
  public static void check(List<Rule> rules) {
    RuleCheck.check(rules);
  }

  /** Returns the data centres that rules name. */
  public static Set<String> datacenters(List<Rule> rules) {
    return rules.stream()
        .map(Rule::datacenter)
        .filter(Objects::nonNull)
        .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Checks that the cluster has the data centres that {@code next} names. A name that the rules in
   * effect have too is not checked: its data centre may be about to come, or gone, which must not
   * prevent other changes.
   *
   * @param known the data centres of the cluster; none if they are not known
   * @throws io.sluice.setting.RefusedSettings with all unknown names, by key
   */
  public void checkNewDatacenters(List<Rule> next, Collection<String> known) {
    if (!known.isEmpty()) {
      Set<String> inEffect = datacenters(book.rules().stream().map(CompiledRule::rule).toList());
      RuleCheck.checkDatacenters(next, inEffect, known);
    }
  }

  /** Whether there are no rules. Then no other method need be called for a request. */
  public boolean isEmpty() {
    return book.isEmpty();
  }

  /**
   * Replaces the rules, from the next request of each client on. Running requests go on. A rule
   * with the same name, or without a name but with the same matchers, keeps its counts. Open
   * connections count under the new rules at once. Requests that wait for a removed rule are let
   * in.
   */
  public synchronized void change(List<Rule> next) {
    check(next);
    datacenters.accept(datacenters(next));
    long now = clock.nanoTime();
    Map<Object, RuleUse> before = new HashMap<>();
    book.rules().forEach(rule -> before.put(rule.key(), rule.use()));
    List<CompiledRule> compiled = CompiledRule.of(next, before, now);
    book = new RuleBook(compiled);
    open.forEach(this::count);
    follow(fleet);
    compiled.forEach(rule -> before.remove(rule.key()));
    compiled.forEach(rule -> rule.use().quota().change(rule.rule().limits(), now));
    before.values().forEach(gone -> gone.quota().change(UNLIMITED, now));
  }

  /** Sets the receiver of the data centres that new rules name. It is called before these apply. */
  public void beforeChange(Consumer<Set<String>> receiver) {
    datacenters = receiver;
  }

  /**
   * Divides the limits among all proxies of a fleet from now on. Until the others are seen, this
   * proxy uses a tenth of each.
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

  /**
   * Whether this proxy has its part of each limit and the other proxies know it; true if it is in
   * no fleet.
   */
  public boolean areDivided() {
    FleetLimits divided = fleet;
    return divided == null || divided.areDivided();
  }

  /** Returns the text about this proxy's use of limits for the heartbeat {@code beat}. */
  public String fleetText(long beat) {
    FleetLimits divided = fleet;
    if (divided == null) {
      return "";
    }
    String text = divided.text(beat, book.rules(), clock.nanoTime());
    allow(divided);
    return text;
  }

  /** Takes over the other proxies' texts, and divides the limits by them. */
  public void fleetReceived(FleetView view) {
    FleetLimits divided = fleet;
    if (divided != null) {
      divided.received(view);
      allow(divided);
    }
  }

  /**
   * Uses an equal part of each limit, or a larger one that this proxy already had, because the
   * other proxies cannot be reached.
   *
   * @param members the proxies that were seen last, this one included; at least 1
   */
  public void fleetUnreachable(int members) {
    FleetLimits divided = fleet;
    if (divided != null) {
      divided.othersUnreachable(members);
      allow(divided);
    }
  }

  /** Creates the session of a client that has just logged in. */
  public RuleSession session(SessionFacts client) {
    return new RuleSession(client, book);
  }

  /** Counts a connection that has logged in. Returns the reason why it is refused, or null. */
  public @Nullable String connect(RuleSession session) {
    RuleBook current = book;
    session.follow(current);
    String refusal = session.connection().connect(current);
    if (refusal == null) {
      opened(session.connection());
    }
    return refusal;
  }

  /** Counts a connection that has logged in, even beyond the limit. */
  public void keep(RuleSession session) {
    session.connection().keep(book);
    opened(session.connection());
  }

  private void opened(OpenConnection connection) {
    open.add(connection);
    count(connection);
  }

  /**
   * Counts a connection under the current rules. Its lane and a change of rules may do so at once:
   * the one that counts last has seen the current rules after that.
   */
  private void count(OpenConnection connection) {
    RuleBook current;
    do {
      current = book;
      connection.follow(current);
    } while (current != book);
  }

  /** Records that the connection is closed. */
  public void disconnect(RuleSession session) {
    open.remove(session.connection());
    session.connection().disconnect();
  }

  /** Returns and counts the effect of the rule for a request; null if no rule applies. */
  public @Nullable Ruling ruling(RuleSession session, Classified statement) {
    session.follow(book);
    return session.ruling(statement);
  }

  /**
   * Counts a request that is refused by the action of its rule. Called after {@link #ruling}, which
   * found that rule.
   */
  public void refused(RuleSession session, Classified statement) {
    session.refused(statement);
  }

  /** Returns the effect of the rule that would apply to a request; null if none would. */
  public @Nullable Ruling preview(RuleSession session, Classified statement) {
    session.follow(book);
    return session.preview(statement);
  }

  /** Describes the rule that would apply to a request; null if none would. */
  public @Nullable String explain(RuleSession session, Classified statement) {
    session.follow(book);
    CompiledRule rule = session.rule(statement);
    return rule == null ? null : rule.name() + " (" + rule.matchText() + "): " + rule.effectText();
  }

  /** Returns all rules and their present use, in their order. */
  public List<RuleFacts> facts() {
    long now = clock.nanoTime();
    return book.rules().stream().map(rule -> rule.facts(now)).toList();
  }
}
