package io.sluice.server.settings;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * The line numbers of the keys in a text. Immutable.
 *
 * @param byPath the line of each place, counted from 1
 */
record LineNumbers(Map<String, Integer> byPath) {

  /** Line numbers of no text. */
  static final LineNumbers NONE = new LineNumbers(Map.of());

  private static final YAMLFactory YAML = new YAMLFactory();

  LineNumbers {
    byPath = Map.copyOf(byPath);
  }

  /** Returns the line numbers of a YAML text, up to its first syntax error. */
  static LineNumbers of(String text) {
    Map<String, Integer> found = new HashMap<>();
    try (JsonParser parser = YAML.createParser(text)) {
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        boolean begins =
            token.isScalarValue() || token.isStructStart() || token == JsonToken.FIELD_NAME;
        if (begins) {
          JsonStreamContext context = parser.getParsingContext();
          JsonStreamContext place = token.isStructStart() ? context.getParent() : context;
          found.putIfAbsent(path(place), parser.currentTokenLocation().getLineNr());
        }
      }
    } catch (IOException | RuntimeException e) {
      // SettingsReader reports the fault.
    }
    return new LineNumbers(found);
  }

  private static String path(JsonStreamContext context) {
    if (context == null || context.inRoot()) {
      return "";
    }
    String above = path(context.getParent());
    if (context.inArray()) {
      return above + "[" + context.getCurrentIndex() + "]";
    }
    String name = String.valueOf(context.getCurrentName());
    return above.isEmpty() ? name : above + "." + name;
  }

  /** Returns the line of a key, or of the section that lacks it; 0 if the text contains neither. */
  int of(SettingsPath path) {
    for (SettingsPath at = path; !at.steps().isEmpty(); at = at.parent()) {
      Integer line = byPath.get(at.toString());
      if (line != null) {
        return line;
      }
    }
    return 0;
  }
}
