package io.sluice.agent;

import io.sluice.agent.pin.PinSettings;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The text after {@code sluice-node-agent.jar=}: pairs of {@code key=value}, by commas. */
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

  /** Reads all of it; what is wrong is in {@link #faults}. */
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

  /** What is wrong with the text, each in words; empty if nothing is. */
  List<String> faults() {
    return faults;
  }

  /** Whether to change the node at all. */
  boolean enabled() {
    return enabled;
  }

  /** How long a range read waits before it may pass point reads, 1 to 3,600,000. */
  long ageLimitMillis() {
    return ageLimitMillis;
  }

  /** Whether Native-Transport-Requests is ordered too. */
  boolean nativeTransport() {
    return nativeTransport;
  }

  /** Whether hints of the proxy are read and handed on. */
  boolean hints() {
    return hints;
  }

  /** Whether syncs of streamed files, and compaction while bootstrapping, wait. */
  boolean join() {
    return join;
  }

  /** Whether the kernel may merge this process's pages with equal ones. */
  boolean merge() {
    return merge;
  }

  /** The settings for index files in memory; null if none are to be kept there. */
  @Nullable PinSettings pin() {
    return pin;
  }
}
