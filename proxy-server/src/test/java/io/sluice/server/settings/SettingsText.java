package io.sluice.server.settings;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** The configuration files of the tests, as texts. */
public final class SettingsText {

  private SettingsText() {}

  /** Returns a file of one line and a cluster. */
  public static String withCluster(String line) {
    return line + "\ncluster: {contactPoints: [10.0.0.1], localDatacenter: dc1}\n";
  }

  /** Reads the settings of a file, without environment variables. */
  public static Settings read(String text) throws IOException, InvalidSettings {
    return read(text, Map.of());
  }

  /** Reads the settings of a file with environment variables. */
  public static Settings read(String text, Map<String, String> environment)
      throws IOException, InvalidSettings {
    return new SettingsReader(environment)
        .read(
            path -> new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "config.yml");
  }

  /** Returns the faults of a faulty file. */
  static List<Fault> faults(String text) {
    return catchThrowableOfType(InvalidSettings.class, () -> read(text)).faults();
  }
}
