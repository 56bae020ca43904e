package io.sluice.host.plan;

import io.sluice.host.tree.HostTree;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The plan as files for configuration management. The files include settings that have the
 * recommended value already, so that they have it on every host and after every boot. They do not
 * include other values that are as good.
 */
public final class Fragments {
  /** The file of kernel parameters. */
  public static final String SYSCTL = "/etc/sysctl.d/60-sluice-cassandra.conf";

  /** The file of rules for block devices. */
  public static final String UDEV = "/etc/udev/rules.d/60-sluice-cassandra.rules";

  /** The file of other values that are written at boot. */
  public static final String TMPFILES = "/etc/tmpfiles.d/sluice-cassandra.conf";

  /** The file of a node's limits. */
  public static final String LIMITS = "/etc/systemd/system/cassandra.service.d/60-sluice.conf";

  private static final String SYSCTLS = "/proc/sys/";
  private static final String BLOCK = "/sys/block/";

  private final HostTree tree;
  private final Plan plan;
  private final boolean devicesNamed;

  private Fragments(HostTree tree, Plan plan, boolean devicesNamed) {
    this.tree = tree;
    this.plan = plan;
    this.devicesNamed = devicesNamed;
  }

  /**
   * Creates the files of the plan for a host.
   *
   * @throws IOException if it is not a Linux host, or a file cannot be read
   */
  public static Fragments of(HostTree tree, Plan.Options options) throws IOException {
    return new Fragments(tree, Plan.of(tree, options), !options.devices().isEmpty());
  }

  /** Returns the lines by the path of the file. */
  public Map<String, List<String>> files() throws IOException {
    Map<String, List<String>> files = new LinkedHashMap<>();
    files.put(SYSCTL, sysctl());
    files.put(UDEV, udev());
    files.put(TMPFILES, tmpfiles());
    files.put(LIMITS, limits());
    return files;
  }

  private Map<String, String> valuesBelow(String folder) {
    Map<String, String> values = new LinkedHashMap<>();
    for (Advice line : plan.lines()) {
      String proposed = line.proposed();
      if (line.path().startsWith(folder) && proposed != null) {
        values.put(line.path().substring(folder.length()), proposed);
      }
    }
    return values;
  }

  private List<String> sysctl() {
    List<String> lines = new ArrayList<>();
    valuesBelow(SYSCTLS)
        .forEach((name, value) -> lines.add(name.replace('/', '.') + " = " + value));
    return lines;
  }

  /**
   * Returns one rule for each kind of disk on the host, not for each disk, unless the operator has
   * named disks, or a rule would match disks of another kind too. A rule has only recommended
   * values: one that a disk merely keeps is its own.
   */
  private List<String> udev() throws IOException {
    Set<String> mixed = mixedMatches();
    Map<String, Map<String, String>> byMatch = new LinkedHashMap<>();
    for (Map.Entry<String, String> each : valuesBelow(BLOCK).entrySet()) {
      String device = deviceOf(each.getKey());
      String ofKind = match(namesLike(device), device);
      boolean alone = devicesNamed || mixed.contains(ofKind);
      byMatch
          .computeIfAbsent(alone ? match(device, device) : ofKind, match -> new LinkedHashMap<>())
          .putIfAbsent(each.getKey().substring(device.length() + 1), each.getValue());
    }
    List<String> lines = new ArrayList<>();
    byMatch.forEach(
        (match, values) -> {
          StringBuilder rule = new StringBuilder(match);
          values.forEach((name, value) -> rule.append(", ATTR{" + name + "}=\"" + value + "\""));
          lines.add(rule.toString());
        });
    return lines;
  }

  /** Returns the matches by name prefix that disks of several kinds have in common. */
  private Set<String> mixedMatches() throws IOException {
    Map<String, DiskKind> kinds = new HashMap<>();
    Set<String> mixed = new HashSet<>();
    for (Advice line : plan.lines()) {
      if (line.path().startsWith(BLOCK)) {
        String device = deviceOf(line.path().substring(BLOCK.length()));
        String match = match(namesLike(device), device);
        DiskKind kind = DiskKind.of(tree, device);
        DiskKind other = kind == DiskKind.UNKNOWN ? kind : kinds.putIfAbsent(match, kind);
        if (other != null && other != kind) {
          mixed.add(match);
        }
      }
    }
    return mixed;
  }

  private static String deviceOf(String path) {
    return path.split("/", 2)[0];
  }

  private static String namesLike(String device) {
    return device.replaceFirst("^(dm-|md|nvme|xvd|vd|sd).*", "$1*");
  }

  /** Returns a match for disks with these names and the same {@code rotational} as a device. */
  private String match(String names, String device) throws IOException {
    String rotational = tree.read(BLOCK + device + "/queue/rotational").orElse("0").strip();
    return "ACTION==\"add|change\", SUBSYSTEM==\"block\", ENV{DEVTYPE}==\"disk\", KERNEL==\""
        + names
        + "\", ATTR{queue/rotational}==\""
        + rotational
        + "\"";
  }

  private List<String> tmpfiles() {
    List<String> lines = new ArrayList<>();
    valuesBelow("/sys/kernel/")
        .forEach((name, value) -> lines.add("w /sys/kernel/" + name + " - - - - " + value));
    return lines;
  }

  private static List<String> limits() {
    List<String> lines = new ArrayList<>();
    lines.add("[Service]");
    for (LimitAdvice.Limit limit : LimitAdvice.ALL) {
      lines.add(limit.directive() + "=" + limit.least().replace("unlimited", "infinity"));
    }
    return lines;
  }
}
