package io.sluice.decide.rule;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One rule: which requests it is for, and what they may. Immutable.
 *
 * @param name for messages and tables; null for its place, {@code rules[0]}
 * @param match the requests that it is for
 * @param limits what all of these together may use
 * @param weight the share of a contended node that they get, beside the 1 of other tenants; null
 *     for the tenant's own
 * @param action what is done with them besides; null for nothing
 * @param timeout how long each may take at most; null for what holds without the rule
 * @param message what a client is told to do instead when it is refused; null for nothing
 * @param cap how many rows its SELECTs may ask for
 * @param raise the share of a contended node that those of its reads get which ask for high
 *     priority; null when none may
 */
public record Rule(
    @Nullable String name,
    Match match,
    Limits limits,
    @Nullable Double weight,
    @Nullable Action action,
    @Nullable Duration timeout,
    @Nullable String message,
    Cap cap,
    @Nullable Double raise) {

  /** What is left out matches all requests, and limits nothing. */
  public Rule(
      @Nullable String name,
      @Nullable Match match,
      @Nullable Limits limits,
      @Nullable Double weight,
      @Nullable Action action,
      @Nullable Duration timeout,
      @Nullable String message,
      @Nullable Cap cap,
      @Nullable Double raise) {
    this.name = name;
    this.match = match == null ? Match.ALL : match;
    this.limits = limits == null ? Limits.NONE : limits;
    this.weight = weight;
    this.action = action;
    this.timeout = timeout;
    this.message = message;
    this.cap = cap == null ? Cap.NONE : cap;
    this.raise = raise;
  }

  /** One that neither caps SELECTs nor lets them ask for more. */
  public Rule(
      @Nullable String name,
      @Nullable Match match,
      @Nullable Limits limits,
      @Nullable Double weight,
      @Nullable Action action,
      @Nullable Duration timeout,
      @Nullable String message) {
    this(name, match, limits, weight, action, timeout, message, null, null);
  }

  /** What is done with a request. */
  public enum Action {
    /** It is answered with INVALID, which no driver tries again. */
    REFUSE,
    /** It waits behind all others, but not for ever. */
    QUEUE_LAST,
    /** It is served, and its client is sent the rule's message as a warning. */
    WARN
  }

  /**
   * The most rows that a SELECT may ask for; null for as many as it likes.
   *
   * @param limit in all: a larger LIMIT, or none, is lowered to it
   * @param pageSize on a page: a larger page size is lowered to it
   */
  public record Cap(@Nullable Integer limit, @Nullable Integer pageSize) {

    /** As many as it likes. */
    public static final Cap NONE = new Cap(null, null);
  }

  /**
   * The requests that a rule is for: those that all of these are true of. Of a list, one entry has
   * to be true; an empty one is true of all.
   *
   * @param role the role that logged in
   * @param keyspace of the statement's table
   * @param table its name, or {@code keyspace.table}
   * @param application what the driver says the application is; {@code name*} for all that begin so
   * @param driver the driver's name; the same
   * @param address networks of clients, such as {@code 10.1.0.0/16}
   * @param shapes the classes of requests, {@code class} in a file
   * @param digest of the statement's text, as {@code system_proxy.statements} shows it
   * @param allowFiltering whether it is a SELECT with ALLOW FILTERING; null for any request
   * @param noLimit whether it is a SELECT without LIMIT; null for any request
   */
  public record Match(
      List<String> role,
      List<String> keyspace,
      List<String> table,
      List<String> application,
      List<String> driver,
      List<String> address,
      List<RuleClass> shapes,
      List<String> digest,
      @Nullable Boolean allowFiltering,
      @Nullable Boolean noLimit) {

    /** All requests. */
    static final Match ALL = new Match(null, null, null, null, null, null, null, null, null, null);

    /** Lists that are left out are empty. */
    public Match(
        @Nullable List<String> role,
        @Nullable List<String> keyspace,
        @Nullable List<String> table,
        @Nullable List<String> application,
        @Nullable List<String> driver,
        @Nullable List<String> address,
        @Nullable List<RuleClass> shapes,
        @Nullable List<String> digest,
        @Nullable Boolean allowFiltering,
        @Nullable Boolean noLimit) {
      this.role = orNone(role);
      this.keyspace = orNone(keyspace);
      this.table = orNone(table);
      this.application = orNone(application);
      this.driver = orNone(driver);
      this.address = orNone(address);
      this.shapes = orNone(shapes);
      this.digest = orNone(digest);
      this.allowFiltering = allowFiltering;
      this.noLimit = noLimit;
    }

    private static <T> List<T> orNone(@Nullable List<T> given) {
      return given == null ? List.of() : List.copyOf(given);
    }

    /** Whether it looks at what is asked, and not only at the client. */
    boolean looksAtStatements() {
      return !(keyspace.isEmpty()
          && table.isEmpty()
          && shapes.isEmpty()
          && digest.isEmpty()
          && allowFiltering == null
          && noLimit == null);
    }

    /** Whether it can be true of a request of that class. */
    boolean admits(RuleClass of) {
      return shapes.isEmpty() || shapes.contains(of);
    }
  }

  /**
   * What all requests of a rule together may use: of this proxy, or of all proxies where these find
   * each other in the keyspace; null for no limit.
   *
   * @param rangeReads range reads under way at once
   * @param requestsPerSecond requests that begin in a second; those of one second may come at once
   * @param rowsPerSecond rows of reads that are returned in a second, likewise
   * @param connections connections that are logged in
   * @param maxWait how long a request waits for a limit before it is refused
   */
  public record Limits(
      @Nullable Integer rangeReads,
      @Nullable Integer requestsPerSecond,
      @Nullable Integer rowsPerSecond,
      @Nullable Integer connections,
      Duration maxWait) {

    static final Duration USUAL_WAIT = Duration.ofSeconds(1);

    static final Limits NONE = new Limits(null, null, null, null, null);

    /** What is left out is not limited. */
    public Limits(
        @Nullable Integer rangeReads,
        @Nullable Integer requestsPerSecond,
        @Nullable Integer rowsPerSecond,
        @Nullable Integer connections,
        @Nullable Duration maxWait) {
      this.rangeReads = rangeReads;
      this.requestsPerSecond = requestsPerSecond;
      this.rowsPerSecond = rowsPerSecond;
      this.connections = connections;
      this.maxWait = maxWait == null ? USUAL_WAIT : maxWait;
    }

    /** Those that are set. */
    Map<Limit, Integer> byLimit() {
      Map<Limit, Integer> all = new EnumMap<>(Limit.class);
      put(all, Limit.RANGE_READS, rangeReads);
      put(all, Limit.REQUESTS_PER_SECOND, requestsPerSecond);
      put(all, Limit.ROWS_PER_SECOND, rowsPerSecond);
      put(all, Limit.CONNECTIONS, connections);
      return all;
    }

    private static void put(Map<Limit, Integer> into, Limit limit, @Nullable Integer most) {
      if (most != null) {
        into.put(limit, most);
      }
    }

    /** Whether requests are counted at all. */
    boolean limitsRequests() {
      return rangeReads != null || requestsPerSecond != null || rowsPerSecond != null;
    }
  }
}
