package io.sluice.host.change;

import io.sluice.host.tree.HostTree;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The records of changes that are not undone. Their folder is emptied by a reboot, which also
 * resets the settings. A record is synced to disk before its first change, and deleted after its
 * last change is undone.
 */
public final class Ledger {
  /** Not below the folder of the proxy's service, whose user may replace what is in it. */
  static final String FOLDER = "/run/sluice-host";

  private static final String LOCK = FOLDER + "/lock";
  private static final String BOOT = "/proc/sys/kernel/random/boot_id";
  private static final Pattern NAME = Pattern.compile("([0-9]{4})-[a-z]+");

  private final HostTree tree;

  /** Opens the records of this host. */
  public Ledger(HostTree tree) {
    this.tree = tree;
  }

  /** Returns all records of this boot, the oldest first. */
  public List<Entry> entries() throws IOException {
    String boot = boot();
    return all().stream().filter(entry -> entry.boot().equals(boot)).toList();
  }

  private List<Entry> all() throws IOException {
    tree.checkOwn(FOLDER);
    List<Entry> entries = new ArrayList<>();
    for (String name : tree.list(FOLDER)) {
      Matcher matcher = NAME.matcher(name);
      if (matcher.matches()) {
        String path = FOLDER + "/" + name;
        String text = tree.read(path).orElse("");
        try {
          entries.add(Entry.of(Integer.parseInt(matcher.group(1)), text));
        } catch (IllegalArgumentException e) {
          throw new IOException(path + " cannot be read: " + e.getMessage(), e);
        }
      }
    }
    return entries;
  }

  /** Removes the records of earlier boots, whose changes are gone. */
  void forgetEarlierBoots() throws IOException {
    String boot = boot();
    for (Entry entry : all()) {
      if (!entry.boot().equals(boot)) {
        remove(entry);
      }
    }
  }

  private String boot() throws IOException {
    return tree.read(BOOT).orElse("unknown").strip();
  }

  Entry add(Entry.Kind kind, List<Change> changes) throws IOException {
    int number = all().stream().mapToInt(Entry::number).max().orElse(0) + 1;
    Entry entry = new Entry(number, kind, boot(), changes);
    tree.replace(path(entry), entry.text());
    return entry;
  }

  void remove(Entry entry) throws IOException {
    tree.delete(path(entry));
  }

  private static String path(Entry entry) {
    return String.format(
        Locale.ROOT,
        "%s/%04d-%s",
        FOLDER,
        entry.number(),
        entry.kind().name().toLowerCase(Locale.ROOT));
  }

  HostTree tree() {
    return tree;
  }

  static String lockPath() {
    return LOCK;
  }

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

    /** Returns the files of the changes. */
    Set<String> paths() {
      return changes.stream().map(Change::path).collect(Collectors.toSet());
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
}
