package io.sluice.agent.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the kernel's limits of this process. Safe for any thread. */
public final class ProcessLimits {
  private static final Pattern OPEN_FILES = limit("Max open files");
  private static final Pattern LOCKED_MEMORY = limit("Max locked memory");
  private static final Pattern LOCKED = Pattern.compile("(?m)^VmLck:\\s+([0-9]{1,15}) kB");
  private static final Pattern CAPABILITIES = Pattern.compile("(?m)^CapEff:\\s+([0-9a-f]{1,16})$");
  private static final int CAP_IPC_LOCK = 14;

  private ProcessLimits() {}

  private static Pattern limit(String name) {
    return Pattern.compile("(?m)^" + name + " +(unlimited|[0-9]{1,18}) ");
  }

  /**
   * Returns how many files this process may open; {@link Long#MAX_VALUE} without a limit, 0 if
   * unknown.
   *
   * @param root the file system's root; another one in tests
   */
  public static long openFiles(Path root) {
    try {
      return read(OPEN_FILES, root);
    } catch (IOException e) {
      return 0;
    }
  }

  /**
   * Returns the bytes that this process may lock in memory in addition to those already locked;
   * {@link Long#MAX_VALUE} without a limit, 0 if unknown.
   *
   * @param root the file system's root; another one in tests
   */
  public static long lockableBytes(Path root) {
    try {
      String status = text(root.resolve("proc/self/status"));
      String capabilities = group(CAPABILITIES, status);
      if (capabilities != null
          && (Long.parseUnsignedLong(capabilities, 16) >> CAP_IPC_LOCK & 1) == 1) {
        return Long.MAX_VALUE;
      }
      long limit = read(LOCKED_MEMORY, root);
      String locked = group(LOCKED, status);
      return limit == Long.MAX_VALUE || locked == null
          ? limit
          : Math.max(0, limit - (Long.parseLong(locked) << 10));
    } catch (IOException e) {
      return 0;
    }
  }

  private static long read(Pattern limit, Path root) throws IOException {
    String value = group(limit, text(root.resolve("proc/self/limits")));
    if (value == null) {
      return 0;
    }
    return value.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(value);
  }

  private static String text(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
  }

  private static @Nullable String group(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    return matcher.find() ? matcher.group(1) : null;
  }
}
