package io.sluice.evaluate;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Describes the machine and the versions for reports, as far as they can be determined. */
final class Machine {
  private static final double GIB = 1024.0 * 1024 * 1024;

  private Machine() {}

  /** Returns the properties of the machine that a reader needs to judge measured times. */
  static Map<String, String> machine() {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    Map<String, String> about = new LinkedHashMap<>();
    about.put("processor", processor());
    about.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
    about.put("memory", String.format(Locale.ROOT, "%.1f GiB", system.getTotalMemorySize() / GIB));
    about.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    about.put(
        "load average before the start",
        String.format(Locale.ROOT, "%.2f", system.getSystemLoadAverage()));
    return about;
  }

  /** Returns the versions of Java and Sluice. {@code launcher} is in Sluice's working copy. */
  static Map<String, String> versions(@Nullable Path launcher) throws InterruptedException {
    Map<String, String> versions = new LinkedHashMap<>();
    versions.put("Java", System.getProperty("java.vm.name") + " " + Runtime.version());
    versions.put("Sluice", launcher == null ? "unknown" : commit(launcher));
    return versions;
  }

  private static String processor() {
    try {
      return Files.readString(Path.of("/proc/cpuinfo"), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(System.getProperty("os.arch"));
    } catch (IOException e) {
      return System.getProperty("os.arch");
    }
  }

  private static String commit(Path launcher) throws InterruptedException {
    try {
      Process git =
          new ProcessBuilder("git", "describe", "--always", "--dirty")
              .directory(launcher.resolveSibling("").toAbsolutePath().toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String output = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      boolean ended = git.waitFor(5, TimeUnit.SECONDS);
      return ended && git.exitValue() == 0 ? "commit " + output.strip() : "unknown";
    } catch (IOException e) {
      return "unknown";
    }
  }
}
