package io.sluice.agent.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads how many files this process may open. Safe for any thread. */
public final class OpenFileLimit {
  private static final Pattern LIMIT =
      Pattern.compile("(?m)^Max open files +(unlimited|[0-9]{1,18}) ");

  private OpenFileLimit() {}

  /**
   * Returns the limit; {@link Long#MAX_VALUE} without one, 0 if unknown.
   *
   * @param root the file system's root; another one in tests
   */
  public static long of(Path root) {
    try {
      byte[] limits = Files.readAllBytes(root.resolve("proc/self/limits"));
      Matcher matcher = LIMIT.matcher(new String(limits, StandardCharsets.UTF_8));
      if (!matcher.find()) {
        return 0;
      }
      String limit = matcher.group(1);
      return limit.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(limit);
    } catch (IOException e) {
      return 0;
    }
  }
}
