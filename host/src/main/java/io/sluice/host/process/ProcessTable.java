package io.sluice.host.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.host.tree.HostTree;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The running processes, from {@code /proc}. */
public final class ProcessTable {
  /** A complete name of a unit that can have processes of its own. Names may have dots. */
  private static final Pattern UNIT = Pattern.compile(".+[.](service|scope|slice)");

  private static final int MAX_BYTES = 1 << 18;
  private static final Pattern WORD = Pattern.compile("\"((?:[^\"\\\\]++|\\\\.)*+)\"|\\S+");

  private final HostTree tree;

  /** Creates the table of this host's processes. */
  public ProcessTable(HostTree tree) {
    this.tree = tree;
  }

  /** Finds a process; empty if there is none with that id. */
  public Optional<HostProcess> find(long pid) throws IOException {
    Optional<String> name = readOfProcess("/proc/" + pid + "/comm");
    Optional<String> line = readOfProcess("/proc/" + pid + "/cmdline");
    return name.isPresent() && line.isPresent()
        ? Optional.of(new HostProcess(pid, name.get().strip(), arguments(line.get())))
        : Optional.empty();
  }

  /** Reads a file of a process, which may end at any time. */
  private Optional<String> readOfProcess(String path) {
    try {
      return tree.read(path);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private List<String> arguments(String line) {
    return Stream.of(line.split("\0", -1))
        .filter(argument -> !argument.isEmpty())
        .flatMap(this::expanded)
        .toList();
  }

  /** Expands an argument file of Java, which has arguments on lines or between blanks. */
  private Stream<String> expanded(String argument) {
    if (!argument.startsWith("@/")) {
      return Stream.of(argument);
    }
    List<String> all = new ArrayList<>();
    Matcher word = WORD.matcher(beginning(argument.substring(1)));
    while (word.find()) {
      all.add(word.group(1) == null ? word.group() : word.group(1));
    }
    return all.stream();
  }

  /**
   * Reads the beginning of a file. Any process may name any file, so this reads no more than
   * arguments can take.
   */
  private String beginning(String path) {
    ByteBuffer bytes = ByteBuffer.allocate(MAX_BYTES);
    try (HostTree.Bytes file = tree.open(path)) {
      return new String(bytes.array(), 0, file.read(bytes, 0), UTF_8);
    } catch (IOException e) {
      return "";
    }
  }

  /** Returns all Cassandra nodes, by their ids. */
  public List<HostProcess> nodes() throws IOException {
    return all().stream().filter(HostProcess::isCassandra).toList();
  }

  /** Returns all processes, by their ids. */
  public List<HostProcess> all() throws IOException {
    List<HostProcess> processes = new ArrayList<>();
    for (long pid : ids()) {
      find(pid).ifPresent(processes::add);
    }
    return processes;
  }

  private List<Long> ids() throws IOException {
    return tree.list("/proc").stream()
        .filter(name -> name.chars().allMatch(Character::isDigit))
        .map(Long::valueOf)
        .sorted()
        .toList();
  }

  /**
   * Returns the Cassandra node of a systemd service, in whatever slice; empty if it runs none now.
   */
  public Optional<HostProcess> ofService(String name) throws IOException {
    String unit = UNIT.matcher(name).matches() ? name : name + ".service";
    for (long pid : ids()) {
      if (isIn(unit, pid)) {
        Optional<HostProcess> found = find(pid);
        if (found.filter(HostProcess::isCassandra).isPresent()) {
          return found;
        }
      }
    }
    return Optional.empty();
  }

  /** Whether a control group of the process, or one above it, is that unit's. */
  private boolean isIn(String unit, long pid) {
    return readOfProcess("/proc/" + pid + "/cgroup")
        .orElse("")
        .lines()
        .anyMatch(group -> List.of(group.split("/", -1)).contains(unit));
  }

  /** Returns the soft resource limit of a process, in the kernel's notation. */
  public Optional<String> limit(long pid, String resource) throws IOException {
    return readOfProcess("/proc/" + pid + "/limits")
        .orElse("")
        .lines()
        .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(resource))
        .map(line -> line.substring(resource.length()).strip().split("\\s+", 2)[0])
        .findFirst();
  }

  /**
   * A process.
   *
   * @param pid its id
   * @param name its name in the kernel
   * @param arguments its command line
   */
  public record HostProcess(long pid, String name, List<String> arguments) {
    private static final String CASSANDRA = "org.apache.cassandra.service.CassandraDaemon";

    public HostProcess {
      arguments = List.copyOf(arguments);
    }

    /** Whether it is a Cassandra node. */
    public boolean isCassandra() {
      return arguments.contains(CASSANDRA);
    }

    /** Returns the rest of the last argument with that beginning. */
    public Optional<String> option(String beginning) {
      return arguments.stream()
          .filter(argument -> argument.startsWith(beginning))
          .reduce((first, last) -> last)
          .map(argument -> argument.substring(beginning.length()));
    }

    /** Returns a short name for people. */
    public String title() {
      return (isCassandra() ? "Cassandra" : name) + " " + pid;
    }
  }
}
