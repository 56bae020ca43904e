package io.sluice.decide.rule;

import io.sluice.decide.classify.StatementShape;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A rule: which requests it applies to, and what they may use. Immutable.
 *
 * @param name name for messages and tables; null for its place, {@code rules[0]}
 * @param match the requests that it applies to
 * @param limits what all of these together may use
 * @param weight their share of a contended node, where other tenants have 1; null for the tenant's
 *     own
 * @param action what else is done with them; null for nothing
 * @param timeout how long each may take at most; null for the limit without the rule
 * @param message for refused clients, what to do instead; null for none
 * @param cap how many rows its SELECTs may ask for
 * @param raise share of a contended node for reads that request high priority; null if none may
 * @param datacenter the data centre whose nodes serve its reads and writes; null for the proxy's
 *     own
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
    @Nullable Double raise,
    @Nullable String datacenter) {

  /** Creates a rule; omitted parts match all requests and limit nothing. */
  public Rule(
      @Nullable String name,
      @Nullable Match match,
      @Nullable Limits limits,
      @Nullable Double weight,
      @Nullable Action action,
      @Nullable Duration timeout,
      @Nullable String message,
      @Nullable Cap cap,
      @Nullable Double raise,
      @Nullable String datacenter) {
    this.name = name;
    this.match = match == null ? Match.ALL : match;
    this.limits = limits == null ? Limits.NONE : limits;
    this.weight = weight;
    this.action = action;
    this.timeout = timeout;
    this.message = message;
    this.cap = cap == null ? Cap.NONE : cap;
    this.raise = raise;
    this.datacenter = datacenter;
  }

  /** Creates a rule without data centre. */
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
    this(name, match, limits, weight, action, timeout, message, cap, raise, null);
  }

  /** Creates a rule without cap, raise and data centre. */
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

  /** Returns this rule, whose requests go to another data centre. */
  public Rule to(String other) {
    return new Rule(name, match, limits, weight, action, timeout, message, cap, raise, other);
  }

  /** What is done with a request. */
  public enum Action {
    /** The request is answered with INVALID, which no driver retries. */
    REFUSE,
    /** The request waits behind all others, but not forever. */
    QUEUE_LAST,
    /** The request is served, and its client gets the rule's message as a warning. */
    WARN
  }

  /**
   * The largest number of rows that a SELECT may ask for; null for no cap.
   *
   * @param limit in all: a larger LIMIT, or none, is lowered to it
   * @param pageSize on a page: a larger page size is lowered to it
   */
  public record Cap(@Nullable Integer limit, @Nullable Integer pageSize) {

    /** No cap. */
    public static final Cap NONE = new Cap(null, null);
  }

  /**
   * The requests that a rule applies to: those that meet all of these. A request meets a list if it
   * meets one entry; an empty list is always met.
   *
   * @param role the role that logged in
   * @param keyspace the keyspace of the statement's table
   * @param table the table's name, or {@code keyspace.table}
   * @param application the application's name as the driver sends it; {@code name*} for a prefix
   * @param driver the driver's name; {@code name*} for a prefix
   * @param address networks of clients, such as {@code 10.1.0.0/16}
   * @param shapes the classes of requests, {@code class} in a file
   * @param digest the digest of the statement's text, as {@code system_proxy.statements} shows it
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

    /** Creates matchers; omitted lists are empty. */
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

    /** Whether any matcher concerns the statement, and not only the client. */
    boolean looksAtStatements() {
      return !(keyspace.isEmpty()
          && table.isEmpty()
          && shapes.isEmpty()
          && digest.isEmpty()
          && allowFiltering == null
          && noLimit == null);
    }

    /** Whether requests of a class can match. */
    boolean admits(RuleClass of) {
      return shapes.isEmpty() || shapes.contains(of);
    }
  }

  /**
   * What all requests of a rule together may use: at this proxy, or at all proxies that find each
   * other in the keyspace. Null for no limit.
   *
   * @param rangeReads range reads at once
   * @param requestsPerSecond requests that begin in a second; those of one second may come at once
   * @param rowsPerSecond rows that reads return in a second; those of one second may come at once
   * @param connections logged-in connections
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

    /** Creates limits; omitted ones do not exist. */
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

    /** Returns the configured limits. */
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

    /** Whether any limit concerns requests. */
    boolean limitsRequests() {
      return rangeReads != null || requestsPerSecond != null || rowsPerSecond != null;
    }
  }

  /** A limit of a rule, or its action, as the reason for a refusal. */
  public enum Limit {
    RANGE_READS("rangeReads"),
    REQUESTS_PER_SECOND("requestsPerSecond"),
    ROWS_PER_SECOND("rowsPerSecond"),
    CONNECTIONS("connections"),
    /** The rule refuses the request regardless of load. */
    ACTION("action");

    private final String key;

    Limit(String key) {
      this.key = key;
    }

    /** Returns the key in a configuration file. */
    public String key() {
      return key;
    }

    /** Returns the value of a meter's tag. */
    public String tag() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The class of a request, as rules name it. */
  public enum RuleClass {
    /** A SELECT that names its partition keys. */
    POINT,
    /** A SELECT over a token range or a whole table, or one that is not understood. */
    RANGE,
    /** INSERT, UPDATE, DELETE and BATCH, understood or not. */
    WRITE,
    /** CREATE, ALTER, DROP and TRUNCATE of keyspaces, tables and the objects in them. */
    SCHEMA,
    /**
     * All other requests, for example about roles and permissions, and others that are not
     * understood.
     */
    OTHER;

    /**
     * Returns the class of a statement; null if rules do not apply to it: system tables and USE.
     */
    static @Nullable RuleClass of(StatementShape shape) {
      return switch (shape) {
        case POINT_READ, MULTI_POINT_READ -> POINT;
        case RANGE_READ, UNKNOWN_SELECT -> RANGE;
        case WRITE, UNKNOWN_WRITE -> WRITE;
        case SCHEMA, TRUNCATE -> SCHEMA;
        case OTHER -> OTHER;
        case USE, SYSTEM_LOCAL, NODE_LOCAL, PROXY -> null;
      };
    }

    /** Whether requests of this class wait in the queues of nodes. */
    boolean isRead() {
      return this == POINT || this == RANGE;
    }
  }
}
