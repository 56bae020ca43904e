package io.sluice.server.settings;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The reference configuration matches the classes. */
class ReferenceTest {

  private static final Pattern KEY = Pattern.compile("\\s*(?:- )?([\\w.]+):(?: .*)?");
  private static final String OPTIONAL = "#: ";

  @Test
  void every_default_equals_the_one_of_the_classes() throws Exception {
    String smallest = "cluster: {contactPoints: [\"10.0.0.1:9042\"], localDatacenter: datacenter1}";

    assertThat(read(reference()))
        .usingRecursiveComparison()
        .ignoringFields("logging")
        .isEqualTo(read(smallest));
    assertThat(tree(reference()).get("logging"))
        .isEqualTo(new SettingsReader(Map.of()).defaults().get("logging"));
  }

  /**
   * A default is a promise to users who never set the key, so a changed default changes this file.
   */
  @Test
  void all_defaults_are_those_of_the_file() throws Exception {
    List<String> lines = new ArrayList<>();
    SettingsPath.walk(
        new SettingsReader(Map.of()).defaults(),
        (path, value) -> {
          if (!path.steps().get(0).equals("logging")) {
            lines.add((path + " " + value.asText()).strip());
          }
        });
    assertThat(lines).isEqualTo(Files.readAllLines(Path.of("src/test/resources/defaults.txt")));
  }

  @Test
  void every_key_of_the_classes_is_there() throws Exception {
    JsonNode everything = tree(uncommented());

    for (String key : keys(Settings.class, "")) {
      assertThat(SettingsPath.of(key).in(everything)).as(key).isNotNull();
    }
  }

  @Test
  void the_optional_keys_can_be_used_as_they_stand() throws Exception {
    Settings settings = read(uncommented().replace("proxy-1.example.com", "127.0.0.1"));

    assertThat(settings.cql().advertise()).isNotNull();
    assertThat(settings.cluster().credentials()).isNotNull();
  }

  @Test
  void every_key_has_a_comment_of_its_own() throws IOException {
    List<String> lines = reference().lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).replace(OPTIONAL, "");
      if (KEY.matcher(line).matches()) {
        assertThat(lines.get(i - 1).strip())
            .as("the line before \"%s\"", lines.get(i))
            .startsWith("#")
            .doesNotStartWith(OPTIONAL.strip());
      }
    }
  }

  private static String reference() throws IOException {
    try (InputStream in = ReferenceTest.class.getResourceAsStream("/reference.yml")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String uncommented() throws IOException {
    return reference().replace(OPTIONAL, "").replaceAll("\\$\\{[^}]*}", "secret");
  }

  private static List<String> keys(Class<?> section, String prefix) {
    List<String> keys = new ArrayList<>();
    for (RecordComponent component : section.getRecordComponents()) {
      keys.add(prefix + component.getName());
      if (component.getType().isRecord()) {
        keys.addAll(keys(component.getType(), prefix + component.getName() + "."));
      }
    }
    return keys;
  }

  private static JsonNode tree(String text) throws Exception {
    return new YAMLMapper().readTree(text);
  }

  private static Settings read(String text) throws Exception {
    return SettingsText.read(text);
  }
}
