package io.sluice.server;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Configuration files of the tests, as texts. */
final class SettingsText {

  private SettingsText() {}

  /** A file of one line and a cluster. */
  static String withCluster(String line) {
    return line + "\ncluster: {contactPoints: [10.0.0.1], localDatacenter: dc1}\n";
  }

  /** The settings of a file, without environment variables. */
  static Settings read(String text) throws IOException, InvalidSettings {
    return read(text, Map.of());
  }

  /** The settings of a file in an environment. */
  static Settings read(String text, Map<String, String> environment)
      throws IOException, InvalidSettings {
    return new SettingsReader(environment)
        .read(
            path -> new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "config.yml");
  }

  /** The faults of a file that has some. */
  static List<Fault> faults(String text) {
    return catchThrowableOfType(InvalidSettings.class, () -> read(text)).faults();
  }
}
