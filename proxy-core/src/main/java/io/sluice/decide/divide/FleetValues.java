package io.sluice.decide.divide;

import io.sluice.decide.divide.FleetShare.OtherShares;
import io.sluice.decide.divide.FleetShare.Published;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * The values that other proxies send with their heartbeats. The text of a heartbeat is {@value
 * #FORMAT}, followed by entries. An entry is a blank, a name, and the demand for what has this name
 * and the part of it, as in {@code " name=3.0000/0.500000"}. The parts of a hundred proxies have to
 * add up to the whole, for which three digits are too few. A proxy skips entries that it does not
 * understand, and does not ask for names that it does not know. So proxies of different versions
 * divide what both know. Immutable.
 */
public final class FleetValues {

  /** The first word of the text in a heartbeat. Text with another format is ignored. */
  public static final String FORMAT = "1";

  private static final int LONGEST = 16 << 10;
  private static final double MAX = 1e15;

  private final UUID self;
  private final Map<UUID, Map<String, Published>> others = new TreeMap<>();

  private FleetValues(UUID self) {
    this.self = self;
  }

  /** Parses the texts of the others. */
  public static FleetValues read(FleetView view) {
    FleetValues values = new FleetValues(view.self());
    view.others().forEach((instance, text) -> values.others.put(instance, parse(text)));
    return values;
  }

  /** Returns an entry of the text of a heartbeat. */
  public static String entry(String name, Published value) {
    return String.format(Locale.ROOT, " %s=%.4f/%.6f", name, value.demand(), value.held());
  }

  /** Returns the values of the other proxies that send this name. */
  public OtherShares of(String name) {
    List<Published> published = new ArrayList<>();
    int place = 0;
    for (Map.Entry<UUID, Map<String, Published>> other : others.entrySet()) {
      Published of = other.getValue().get(name);
      if (of != null) {
        published.add(of);
        place += other.getKey().compareTo(self) < 0 ? 1 : 0;
      }
    }
    return new OtherShares(place, published);
  }

  /** Parses the text of another proxy, and skips what is not understood. */
  private static Map<String, Published> parse(String text) {
    Map<String, Published> all = new HashMap<>();
    if (text.length() > LONGEST || !text.startsWith(FORMAT + ' ')) {
      return all;
    }
    for (String each : text.substring(FORMAT.length() + 1).split(" ", -1)) {
      int equals = each.indexOf('=');
      int slash = each.indexOf('/');
      if (equals > 0 && slash > equals) {
        double demand = number(each.substring(equals + 1, slash));
        double held = number(each.substring(slash + 1));
        if (demand >= 0 && held >= 0) {
          all.put(each.substring(0, equals), new Published(demand, held));
        }
      }
    }
    return all;
  }

  /** Parses a number; below 0 if it is invalid. */
  private static double number(String text) {
    try {
      double number = Double.parseDouble(text);
      return number >= 0 && number <= MAX ? number : -1;
    } catch (NumberFormatException none) {
      return -1;
    }
  }
}
