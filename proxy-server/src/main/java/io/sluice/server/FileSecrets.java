package io.sluice.server;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;

/**
 * Files whose content stands for a value: {@code ${file:/run/secrets/x}}. The content is put into
 * the parsed tree, so that it needs no quotes, and no message about the file's text can hold it.
 */
final class FileSecrets {

  private static final String SCHEME = "file:";
  private static final long MOST_BYTES = 64 * 1024;

  private FileSecrets() {}

  /** Whether a variable of this name is a file. */
  static boolean isFile(String name) {
    return name.startsWith(SCHEME);
  }

  /** Whether there is such a file; where there is none, a default holds. */
  static boolean exists(String name) {
    return Files.isReadable(path(name));
  }

  static Path path(String name) {
    return Path.of(name.substring(SCHEME.length()));
  }

  /** The content of the file of a variable; empty when it cannot be used. */
  static byte[] bytes(String name) {
    try {
      Path path = path(name);
      return Files.isRegularFile(path) && Files.size(path) <= MOST_BYTES
          ? Files.readAllBytes(path)
          : new byte[0];
    } catch (IOException | InvalidPathException e) {
      return new byte[0];
    }
  }

  /**
   * Puts the content of each file that can be read in its place, without the line's end.
   *
   * @return the places
   */
  static Set<SettingsPath> putInto(JsonNode tree) {
    Map<SettingsPath, String> found = new LinkedHashMap<>();
    SettingsPath.walk(
        tree,
        (path, value) -> {
          Matcher marked = UnsetVariables.MARKED.matcher(value.asText());
          String text =
              marked.replaceAll(
                  match -> Matcher.quoteReplacement(content(match.group(1), match.group())));
          if (!text.equals(value.asText())) {
            found.put(path, text);
          }
        });
    found.forEach((path, text) -> path.replaceIn(tree, text));
    return found.keySet();
  }

  private static String content(String name, String otherwise) {
    if (!isFile(name) || !exists(name)) {
      return otherwise;
    }
    try {
      Path path = path(name);
      if (Files.size(path) > MOST_BYTES) {
        return otherwise;
      }
      return Files.readString(path, StandardCharsets.UTF_8).replaceFirst("\\R$", "");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
