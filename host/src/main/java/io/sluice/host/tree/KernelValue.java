package io.sluice.host.tree;

import java.io.IOException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The content of a file of the kernel: one value, or the possible names with the selected one in
 * brackets, such as {@code none [mq-deadline] bfq}.
 */
public final class KernelValue {
  private static final Pattern CHOSEN = Pattern.compile("\\[([^\\[\\]\\s]+)]");

  private KernelValue() {}

  /** Returns the value, or the selected name. */
  public static String of(String content) {
    Matcher chosen = CHOSEN.matcher(content);
    return chosen.find() ? chosen.group(1) : content.strip();
  }

  /** Returns the possible names; empty if the file has no list of names. */
  public static List<String> choices(String content) {
    if (!CHOSEN.matcher(content).find()) {
      return List.of();
    }
    return Stream.of(content.replace("[", "").replace("]", "").strip().split("\\s+", -1)).toList();
  }

  /**
   * Returns the content that the kernel would show after this value was written.
   *
   * @throws IOException if the value is not among the names
   */
  static String after(String content, String value) throws IOException {
    if (choices(content).isEmpty()) {
      String body = content.stripTrailing();
      return value + content.substring(body.length());
    }
    if (!choices(content).contains(value)) {
      throw new IOException("Invalid argument");
    }
    String plain = content.replace("[", "").replace("]", "");
    return plain.replaceFirst(
        "(?<!\\S)" + Pattern.quote(value) + "(?!\\S)", Matcher.quoteReplacement("[" + value + "]"));
  }
}
