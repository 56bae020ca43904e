package io.sluice.host.change;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A record of the changes of one command.
 *
 * @param number position among the records; later ones have greater numbers
 * @param kind the command
 * @param boot id of the boot in which the values were recorded
 * @param changes the changes, in the order of their writes
 */
public record Entry(int number, Kind kind, String boot, List<Change> changes) {
  private static final String HEAD = "sluice host 1\t";
  private static final String END = "end";

  /** The commands that change settings. */
  public enum Kind {
    /** Changes that stay until they are undone. */
    APPLY,
    /** Changes of page merging that stay until they are undone. */
    MEMORY,
    /** Changes for as long as the command runs. */
    JOIN
  }

  public Entry {
    changes = List.copyOf(changes);
  }

  String text() {
    List<String> lines = new ArrayList<>();
    lines.add(HEAD + kind + "\t" + boot);
    changes.forEach(change -> lines.add(change.line()));
    lines.add(END);
    return String.join("\n", lines) + "\n";
  }

  static Entry of(int number, String text) {
    List<String> lines = text.lines().toList();
    int last = lines.size() - 1;
    if (last < 1 || !lines.get(0).startsWith(HEAD) || !lines.get(last).equals(END)) {
      throw new IllegalArgumentException("not a complete record of changes");
    }
    List<String> head = Stream.of(lines.get(0).split("\t", -1)).toList();
    List<Change> changes = lines.subList(1, last).stream().map(Change::of).toList();
    return new Entry(number, Kind.valueOf(head.get(1)), head.get(2), changes);
  }
}
