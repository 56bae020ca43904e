package io.sluice.host.change;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The changes of one command, as they are recorded.
 *
 * @param number its place among the records; later ones have greater numbers
 * @param kind the command
 * @param boot the boot of the kernel whose values these are
 * @param changes in the order in which they are made
 */
public record Entry(int number, Kind kind, String boot, List<Change> changes) {
  private static final String HEAD = "sluice host 1\t";
  private static final String END = "end";

  /** The commands that change settings. */
  public enum Kind {
    /** Changes stay until they are undone. */
    APPLY,
    /** Changes of the kernel's merging of pages; they stay until they are undone. */
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
      throw new IllegalArgumentException("no record of changes");
    }
    List<String> head = Stream.of(lines.get(0).split("\t", -1)).toList();
    List<Change> changes = lines.subList(1, last).stream().map(Change::of).toList();
    return new Entry(number, Kind.valueOf(head.get(1)), head.get(2), changes);
  }
}
