package io.sluice.host.tree;

import java.io.IOException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The content of a file of the kernel: one value, or the names to choose from with the chosen one
 * in brackets, such as {@code none [mq-deadline] bfq}.
 */
public final class KernelValue {
  private static final Pattern CHOSEN = Pattern.compile("\\[([^\\[\\]\\s]+)]");

  private KernelValue() {}

  /** The value, or the name that is chosen. */
  public static String of(String content) {
    Matcher chosen = CHOSEN.matcher(content);
    return chosen.find() ? chosen.group(1) : content.strip();
  }

  /** The names to choose from; none if the file is not of that kind. */
  public static List<String> choices(String content) {
    if (!CHOSEN.matcher(content).find()) {
      return List.of();
    }
    return Stream.of(content.replace("[", "").replace("]", "").strip().split("\\s+", -1)).toList();
  }

  /**
   * The content after this value was written, as the kernel would show it.
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
