package io.sluice.server.settings;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.setting.Secret;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The keys whose values appear in no message and no table. Stateless. */
final class SecretKeys {

  private static final List<String> NAMES = List.of("password", "secret", "token");
  private static final String LOGIN = "cluster.credentials";

  private SecretKeys() {}

  /** Whether the value at a path with dots is a secret. */
  static boolean contains(String path) {
    String last = path.substring(path.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    // A password may be at the wrong place of the login.
    return (path.startsWith(LOGIN) && !last.equals("username"))
        || NAMES.stream().anyMatch(last::contains);
  }

  /** Whether a value is a secret or has one inside. */
  static boolean isIn(String path, @Nullable JsonNode value) {
    if (contains(path)) {
      return true;
    } else if (value instanceof ObjectNode section) {
      return section.properties().stream()
          .anyMatch(entry -> isIn(entry.getKey(), entry.getValue()));
    }
    return value != null && value.valueStream().anyMatch(each -> isIn("", each));
  }

  /** Returns a value as text, without the secrets inside it. */
  static String text(JsonNode value) {
    return hidden(value.deepCopy()).toString();
  }

  private static JsonNode hidden(JsonNode value) {
    if (value instanceof ObjectNode section) {
      for (Map.Entry<String, JsonNode> entry : section.properties()) {
        if (contains(entry.getKey())) {
          entry.setValue(section.textNode(Secret.HIDDEN));
        } else {
          hidden(entry.getValue());
        }
      }
    } else {
      value.forEach(SecretKeys::hidden);
    }
    return value;
  }
}
