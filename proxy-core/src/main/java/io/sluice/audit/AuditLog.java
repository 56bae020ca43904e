package io.sluice.audit;

import io.sluice.accept.Client;
import io.sluice.accept.ClientFacts;
import io.sluice.decide.classify.Classified;
import io.sluice.execute.table.JsonText;
import io.sluice.time.LineBudget;
import io.sluice.time.WallClock;
import io.sluice.wire.ErrorCode;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The audit log: writes each event as a line of JSON to the log {@code io.sluice.audit}. Clients
 * can cause any number of events, so the lines of each kind are limited per second. A flood of one
 * kind hides no other kind. Safe for any thread.
 */
public final class AuditLog {

  private static final Logger LOG = LoggerFactory.getLogger("io.sluice.audit");

  /** Maximum length, in characters, of a text that a client or an operator chooses. */
  private static final int MAX_TEXT = 500;

  private static final int MAX_REQUESTS = 100;

  /** The kinds of events. Each kind has its own limit of lines. */
  private enum Kind {
    LOGIN,
    LOGIN_FAILED,
    REFUSED,
    ENDED,
    CHANGED,
    CHANGE_DENIED
  }

  private final WallClock clock;
  private final Map<Kind, LineBudget> budgets = new EnumMap<>(Kind.class);
  private volatile AuditConfig config;

  public AuditLog(AuditConfig config, WallClock clock) {
    this.config = config;
    this.clock = clock;
    for (Kind kind : Kind.values()) {
      budgets.put(kind, new LineBudget());
    }
  }

  /** Replaces the settings. */
  public void change(AuditConfig next) {
    config = next;
  }

  /** Logs a successful login. */
  public void loggedIn(Client client) {
    if (config.logins()) {
      Map<String, @Nullable Object> line = of(client);
      ClientFacts.Driver driver = client.driver();
      line.put("driver", driver.name());
      line.put("driver_version", driver.version());
      line.put("application", driver.application());
      line.put("protocol", client.version());
      write(Kind.LOGIN, line);
    }
  }

  /**
   * Logs a failed login.
   *
   * @param role the role that the client claims; null when it has named none
   * @param error the error code in the response to the client
   * @param reason the error message in the response to the client
   */
  public void loginFailed(Client client, @Nullable String role, int error, String reason) {
    if (config.logins()) {
      Map<String, @Nullable Object> line = of(client);
      line.put("role", role);
      line.put("error", ErrorCode.name(error));
      line.put("reason", reason);
      write(Kind.LOGIN_FAILED, line);
    }
  }

  /**
   * Logs a request that Sluice itself has refused.
   *
   * @param error the error code in the response to the client
   * @param reason the error message in the response to the client
   */
  public void refused(Client client, Classified statement, int error, String reason) {
    if (config.refusals()) {
      Map<String, @Nullable Object> line = of(client);
      line.put("class", statement.shape().name().toLowerCase(Locale.ROOT));
      line.put("keyspace", statement.keyspace());
      line.put("table", statement.table());
      line.put("digest", "%016x".formatted(statement.digest()));
      line.put("error", ErrorCode.name(error));
      line.put("reason", reason);
      write(Kind.REFUSED, line);
    }
  }

  /**
   * Logs that an operator has ended requests.
   *
   * @param ids the requests that the operator wanted to end
   * @param ended how many of them were still running
   */
  public void ended(String operator, Collection<Long> ids, int ended) {
    if (config.changes()) {
      Map<String, @Nullable Object> line = new LinkedHashMap<>();
      line.put("by", operator);
      line.put("requests", ended);
      line.put("ids", ids.stream().sorted().limit(MAX_REQUESTS).toList());
      write(Kind.ENDED, line);
    }
  }

  /**
   * Logs that a client without the right has tried to change a table.
   *
   * @param reason the error message in the response to the client
   */
  public void changeDenied(Client client, String table, String reason) {
    if (config.changes()) {
      Map<String, @Nullable Object> line = of(client);
      line.put("table", table);
      line.put("reason", reason);
      write(Kind.CHANGE_DENIED, line);
    }
  }

  /**
   * Returns a writer for a change that begins now. It also logs the change that switches the
   * logging of changes off.
   */
  public Changes changes() {
    return new Changes(config.changes());
  }

  /** Logs changes that have begun with these settings, or end with settings that log changes. */
  public final class Changes {
    private final boolean logged;

    private Changes(boolean logged) {
      this.logged = logged;
    }

    /**
     * Logs that an operator has changed something, or that the change was refused.
     *
     * @param what the kind of the changed thing
     * @param name its name
     * @param value the new value, without secrets; null for the value in the configuration file
     * @param refusal the reason for which the change was refused; null when it was made
     */
    public void changed(
        String operator,
        String what,
        String name,
        @Nullable String value,
        @Nullable String refusal) {
      if (logged || config.changes()) {
        Map<String, @Nullable Object> line = new LinkedHashMap<>();
        line.put("by", operator);
        line.put(what, name);
        line.put("value", value);
        line.put("refused", refusal);
        write(Kind.CHANGED, line);
      }
    }
  }

  private static Map<String, @Nullable Object> of(Client client) {
    Map<String, @Nullable Object> line = new LinkedHashMap<>();
    line.put("role", client.identity().role());
    line.put("address", client.addressText());
    return line;
  }

  private void write(Kind kind, Map<String, @Nullable Object> facts) {
    long millis = clock.now().toEpochMilli();
    LineBudget budget = budgets.get(kind);
    long before = budget == null ? 0 : budget.place(config.linesPerSecond(), millis);
    if (before >= 0) {
      Map<String, @Nullable Object> line = new LinkedHashMap<>();
      line.put("time", clock.now().toString());
      line.put("event", kind.name().toLowerCase(Locale.ROOT));
      facts.forEach(
          (name, value) -> line.put(name, value instanceof String text ? shortened(text) : value));
      line.put("left_out", before);
      LOG.info(JsonText.of(line));
    }
  }

  private static String shortened(String text) {
    return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + "...";
  }
}
