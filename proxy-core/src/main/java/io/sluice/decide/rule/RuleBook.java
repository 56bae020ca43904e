package io.sluice.decide.rule;

import io.sluice.decide.classify.Classified;
import io.sluice.decide.rule.Rule.RuleClass;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All rules in their order. Immutable, except for the use of each. */
final class RuleBook {

  private static final int[] NONE = {};

  private final List<CompiledRule> rules;

  /** The places of rules that name roles, by role. */
  private final Map<String, int[]> byRole = new HashMap<>();

  private final int[] ofAllRoles;

  RuleBook(List<CompiledRule> rules) {
    this.rules = List.copyOf(rules);
    Map<String, List<Integer>> places = new HashMap<>();
    List<Integer> general = new ArrayList<>();
    for (CompiledRule each : rules) {
      List<String> roles = each.rule().match().role();
      roles.forEach(
          role -> places.computeIfAbsent(role, any -> new ArrayList<>()).add(each.place()));
      if (roles.isEmpty()) {
        general.add(each.place());
      }
    }
    places.forEach((role, all) -> byRole.put(role, array(all)));
    this.ofAllRoles = array(general);
  }

  private static int[] array(List<Integer> places) {
    return places.stream().mapToInt(Integer::intValue).toArray();
  }

  List<CompiledRule> rules() {
    return rules;
  }

  boolean isEmpty() {
    return rules.isEmpty();
  }

  /** Returns the first rule for a request; null if there is none. */
  @Nullable CompiledRule first(SessionFacts client, Classified statement, RuleClass of) {
    return first(
        client, rule -> rule.matcher().matches(statement, of) && rule.matcher().matches(client));
  }

  /** Returns the first rule for a connection, among those without matchers for statements. */
  @Nullable CompiledRule first(SessionFacts client) {
    return first(
        client, rule -> !rule.rule().match().looksAtStatements() && rule.matcher().matches(client));
  }

  private interface Test {
    boolean holds(CompiledRule rule);
  }

  /** Examines the rules of the client's role and those of all roles, in the order of all rules. */
  private @Nullable CompiledRule first(SessionFacts client, Test test) {
    int[] own = byRole.getOrDefault(client.role(), NONE);
    int i = 0;
    int j = 0;
    while (i < own.length || j < ofAllRoles.length) {
      boolean ownNext = j == ofAllRoles.length || (i < own.length && own[i] < ofAllRoles[j]);
      CompiledRule next = rules.get(ownNext ? own[i++] : ofAllRoles[j++]);
      if (test.holds(next)) {
        return next;
      }
    }
    return null;
  }
}
