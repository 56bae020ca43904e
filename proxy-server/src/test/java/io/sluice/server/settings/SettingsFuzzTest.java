package io.sluice.server.settings;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Fuzzed configuration files: each is either read, or all its faults are reported. */
class SettingsFuzzTest {

  private static final String BEGINNING =
      "cluster: {contactPoints: [127.0.0.1], localDatacenter: dc1}\n";

  @FuzzTest
  void any_file_is_read_or_its_faults_are_reported(byte[] script) throws IOException {
    String text = new String(script, StandardCharsets.UTF_8);
    read(text);
    read(BEGINNING + text);
  }

  private static void read(String text) throws IOException {
    try {
      assertThat(SettingsText.read(text).toString()).isNotEmpty();
    } catch (InvalidSettings e) {
      assertThat(e.faults()).as(text).isNotEmpty();
    }
  }
}
