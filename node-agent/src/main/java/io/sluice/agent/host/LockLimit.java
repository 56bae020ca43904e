package io.sluice.agent.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads how many bytes this process may lock in memory. Safe for any thread. */
public final class LockLimit {
  private static final Pattern LIMIT =
      Pattern.compile("(?m)^Max locked memory +(unlimited|[0-9]{1,18}) ");
  private static final Pattern LOCKED = Pattern.compile("(?m)^VmLck:\\s+([0-9]{1,15}) kB");
  private static final Pattern CAPABILITIES = Pattern.compile("(?m)^CapEff:\\s+([0-9a-f]{1,16})$");
  private static final int CAP_IPC_LOCK = 14;

  private LockLimit() {}

  /**
   * Returns the bytes that this process may lock in addition to those already locked; {@link
   * Long#MAX_VALUE} without a limit, 0 if unknown.
   *
   * @param root the file system's root; another one in tests
   */
  public static long bytes(Path root) {
    try {
      String status = text(root.resolve("proc/self/status"));
      String capabilities = group(CAPABILITIES, status);
      if (capabilities != null
          && (Long.parseUnsignedLong(capabilities, 16) >> CAP_IPC_LOCK & 1) == 1) {
        return Long.MAX_VALUE;
      }
      String limit = group(LIMIT, text(root.resolve("proc/self/limits")));
      if (limit == null || limit.equals("unlimited")) {
        return limit == null ? 0 : Long.MAX_VALUE;
      }
      String locked = group(LOCKED, status);
      return Math.max(
          0, Long.parseLong(limit) - (locked == null ? 0 : Long.parseLong(locked) << 10));
    } catch (IOException e) {
      return 0;
    }
  }

  private static String text(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
  }

  private static @Nullable String group(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    return matcher.find() ? matcher.group(1) : null;
  }
}
