package io.sluice.server.settings;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;

/**
 * Replaces variables such as {@code ${file:/run/secrets/x}} by the content of files. The content
 * goes into the parsed tree, so it needs no quotes, and no message about the file's text can
 * contain it.
 */
final class FileSecrets {

  private static final String SCHEME = "file:";
  private static final long MAX_BYTES = 64 * 1024;

  private FileSecrets() {}

  /** Whether a variable with this name stands for a file. */
  static boolean isFile(String name) {
    return name.startsWith(SCHEME);
  }

  /** Whether the file exists and can be read. Otherwise the variable's default applies. */
  static boolean exists(String name) {
    return Files.isRegularFile(path(name)) && Files.isReadable(path(name));
  }

  static Path path(String name) {
    return Path.of(name.substring(SCHEME.length()));
  }

  /** Returns the content of the file of a variable; empty when the file cannot be used. */
  static byte[] bytes(String name) {
    try {
      Path path = path(name);
      return Files.isRegularFile(path) && Files.size(path) <= MAX_BYTES
          ? Files.readAllBytes(path)
          : new byte[0];
    } catch (IOException | InvalidPathException e) {
      return new byte[0];
    }
  }

  /**
   * Replaces each variable of a usable file by its content, without the last line break. The others
   * stay.
   *
   * @return the places of these values
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
      return Files.size(path) > MAX_BYTES
          ? otherwise
          : Files.readString(path, StandardCharsets.UTF_8).replaceFirst("\\R$", "");
    } catch (IOException notReadableOrNotUtf8) {
      return otherwise;
    }
  }
}
