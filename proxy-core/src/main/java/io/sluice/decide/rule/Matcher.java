package io.sluice.decide.rule;

import io.sluice.decide.classify.Classified;
import io.sluice.decide.classify.Select;
import io.sluice.decide.rule.Rule.RuleClass;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The matchers of one rule, prepared for comparison. Immutable. */
final class Matcher {

  private static final int HEXADECIMAL = 16;

  private final Set<String> roles;
  private final List<Name> applications;
  private final List<Name> drivers;
  private final List<Network> networks;
  private final Set<String> keyspaces;
  private final List<TablePattern> tables;
  private final Set<RuleClass> classes;
  private final long[] digests;
  private final @Nullable Boolean allowFiltering;
  private final @Nullable Boolean noLimit;

  /** A name, or the prefix of all matching names. */
  private record Name(String text, boolean begins) {

    static Name of(String written) {
      boolean begins = written.endsWith("*");
      return new Name(begins ? written.substring(0, written.length() - 1) : written, begins);
    }

    boolean isOf(@Nullable String name) {
      return name != null && (begins ? name.startsWith(text) : name.equals(text));
    }
  }

  /** A table; in any keyspace if that is null. */
  record TablePattern(@Nullable String keyspace, String name) {

    /** Parses {@code table} or {@code keyspace.table}. */
    static TablePattern of(String written) {
      int dot = written.indexOf('.');
      return dot < 0
          ? new TablePattern(null, written)
          : new TablePattern(written.substring(0, dot), written.substring(dot + 1));
    }

    boolean isOf(@Nullable String otherKeyspace, @Nullable String table) {
      return name.equals(table) && (keyspace == null || keyspace.equals(otherKeyspace));
    }
  }

  /** Prepares a {@link Rule.Match} that has passed {@link RuleCheck}. */
  Matcher(Rule.Match match) {
    this.roles = Set.copyOf(match.role());
    this.applications = match.application().stream().map(Name::of).toList();
    this.drivers = match.driver().stream().map(Name::of).toList();
    this.networks =
        match.address().stream().map(each -> Objects.requireNonNull(Network.of(each))).toList();
    this.keyspaces = Set.copyOf(match.keyspace());
    this.tables = match.table().stream().map(TablePattern::of).toList();
    this.classes =
        match.shapes().isEmpty() ? EnumSet.allOf(RuleClass.class) : EnumSet.copyOf(match.shapes());
    this.digests =
        match.digest().stream()
            .mapToLong(each -> Long.parseUnsignedLong(each, HEXADECIMAL))
            .toArray();
    this.allowFiltering = match.allowFiltering();
    this.noLimit = match.noLimit();
  }

  /** Whether the rule can match requests of a client. */
  boolean matches(SessionFacts client) {
    return (roles.isEmpty() || roles.contains(client.role()))
        && isAmong(applications, client.application())
        && isAmong(drivers, client.driver())
        && (networks.isEmpty()
            || (client.address() != null
                && networks.stream().anyMatch(each -> each.contains(client.address()))));
  }

  private static boolean isAmong(List<Name> names, @Nullable String name) {
    return names.isEmpty() || names.stream().anyMatch(each -> each.isOf(name));
  }

  /** Whether the rule can match a statement, apart from the client that sends it. */
  boolean matches(Classified statement, RuleClass of) {
    return classes.contains(of)
        && isTable(statement.keyspace(), statement.table())
        && (digests.length == 0
            || Arrays.stream(digests).anyMatch(each -> each == statement.digest()))
        && isRead(statement.select());
  }

  private boolean isTable(@Nullable String keyspace, @Nullable String table) {
    return (keyspaces.isEmpty() || (keyspace != null && keyspaces.contains(keyspace)))
        && (tables.isEmpty() || tables.stream().anyMatch(each -> each.isOf(keyspace, table)));
  }

  private boolean isRead(@Nullable Select select) {
    return (allowFiltering == null && noLimit == null)
        || (select != null
            && (allowFiltering == null || allowFiltering == select.allowFiltering())
            && (noLimit == null || noLimit == (select.limits().rows() == null)));
  }
}
