package io.sluice.agent;

import io.sluice.agent.pin.PinSettings;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The text after {@code sluice-node-agent.jar=}: pairs of {@code key=value}, separated by commas.
 */
final class AgentArguments {
  private static final long SHORTEST_MILLIS = 1;
  private static final long LONGEST_MILLIS = 3_600_000;
  private static final String OFF = "off";

  private final List<String> faults = new ArrayList<>();
  private boolean enabled = true;
  private long ageLimitMillis = 1000;
  private boolean nativeTransport;
  private boolean hints = true;
  private boolean join;
  private boolean merge;
  private String pinBudget = OFF;
  private String pinInclude = "";
  private String pinExclude = "";
  private @Nullable PinSettings pin;

  private AgentArguments() {}

  /** Parses all pairs. {@link #faults} has the errors. */
  static AgentArguments parse(@Nullable String text) {
    AgentArguments read = new AgentArguments();
    if (text != null && !text.trim().isEmpty()) {
      for (String pair : text.split(",", -1)) {
        read.take(pair.trim());
      }
    }
    read.takePin();
    return read;
  }

  private void take(String pair) {
    int equals = pair.indexOf('=');
    String key = equals < 0 ? pair : pair.substring(0, equals).trim();
    String value = equals < 0 ? "" : pair.substring(equals + 1).trim();
    switch (key) {
      case "enabled":
        enabled = flag(key, value);
        break;
      case "ntr":
        nativeTransport = flag(key, value);
        break;
      case "hints":
        hints = flag(key, value);
        break;
      case "join":
        join = flag(key, value);
        break;
      case "merge":
        merge = flag(key, value);
        break;
      case "ageLimitMillis":
        ageLimitMillis = millis(key, value);
        break;
      case "pin":
        pinBudget = value;
        break;
      case "pinInclude":
        pinInclude = value;
        break;
      case "pinExclude":
        pinExclude = value;
        break;
      default:
        faults.add(
            "'"
                + pair
                + "' is not one of enabled=, ageLimitMillis=, hints=, join=, merge=, ntr=, pin=,"
                + " pinInclude=, pinExclude=");
    }
  }

  private void takePin() {
    if (!pinBudget.equals(OFF)) {
      pin = PinSettings.parse(pinBudget, pinInclude, pinExclude, faults);
    } else if (!pinInclude.isEmpty() || !pinExclude.isEmpty()) {
      faults.add("pinInclude and pinExclude need a budget, such as pin=512MiB");
    }
  }

  private boolean flag(String key, String value) {
    if (!value.equals("true") && !value.equals("false")) {
      faults.add(key + " can be true or false, not '" + value + "'");
    }
    return value.equals("true");
  }

  private long millis(String key, String value) {
    long millis = value.matches("[0-9]{1,9}") ? Long.parseLong(value) : -1;
    if (millis < SHORTEST_MILLIS || millis > LONGEST_MILLIS) {
      faults.add(
          key + " can be " + SHORTEST_MILLIS + " to " + LONGEST_MILLIS + ", not '" + value + "'");
    }
    return millis;
  }

  /** Returns the errors in the text, a sentence each; empty if there are none. */
  List<String> faults() {
    return faults;
  }

  /** Whether the agent changes the node. */
  boolean enabled() {
    return enabled;
  }

  /**
   * Returns the time in milliseconds after which a range read may pass point reads, 1 to 3,600,000.
   */
  long ageLimitMillis() {
    return ageLimitMillis;
  }

  /** Whether Native-Transport-Requests is ordered too. */
  boolean nativeTransport() {
    return nativeTransport;
  }

  /** Whether hints of the proxy or the coordinator are used and forwarded. */
  boolean hints() {
    return hints;
  }

  /** Whether to defer syncs of streamed files, and compaction during a bootstrap. */
  boolean join() {
    return join;
  }

  /** Whether the kernel may merge this process's pages with equal ones. */
  boolean merge() {
    return merge;
  }

  /** Returns the settings for index files in memory; null if none are kept there. */
  @Nullable PinSettings pin() {
    return pin;
  }
}
