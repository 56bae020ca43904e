package io.sluice.server.settings;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.sluice.console.HostView.Setting;
import io.sluice.console.HostView.Setting.Changes;
import io.sluice.console.HostView.Setting.Source;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The settings of a process, as {@code system_proxy.settings} shows them. */
class ShownSettingsTest {

  private static final String DEFAULTS =
      """
      cql: {port: 9042, advertise: null, peers: []}
      console: {roles: []}
      """;

  private static List<Setting> shown(String given) throws JsonProcessingException {
    return shown(given, Map.of());
  }

  private static List<Setting> shown(String given, Map<String, OperatorChange> changes)
      throws JsonProcessingException {
    YAMLMapper yaml = new YAMLMapper();
    return ShownSettings.of(yaml.readTree(DEFAULTS), (ObjectNode) yaml.readTree(given), changes);
  }

  @Test
  void every_key_has_its_value_its_default_and_its_source() throws JsonProcessingException {
    assertThat(shown("cql: {port: 9999, peers: ['a:1', 'b:2']}"))
        .containsExactly(
            new Setting("console.roles", "[]", "[]", Source.DEFAULT, Changes.LIVE),
            new Setting("cql.advertise", "", "", Source.DEFAULT, Changes.RESTART),
            new Setting("cql.peers", "[\"a:1\",\"b:2\"]", "[]", Source.FILE, Changes.RESTART),
            new Setting("cql.port", "9999", "9042", Source.FILE, Changes.RESTART));
  }

  @Test
  void a_key_without_a_default_is_shown_where_it_is_given() throws JsonProcessingException {
    assertThat(shown("cluster: {localDatacenter: dc1}"))
        .contains(new Setting("cluster.localDatacenter", "dc1", "", Source.FILE, Changes.RESTART));
  }

  @Test
  void a_key_that_only_an_operator_has_set_is_shown() throws JsonProcessingException {
    String key = "logging.loggers.io.sluice.link";
    assertThat(
            shown(
                "cql: {port: 9999}",
                Map.of(key, new OperatorChange(TextNode.valueOf("DEBUG"), "ops"))))
        .contains(new Setting(key, "DEBUG", "", Source.CONSOLE, Changes.LIVE, "ops", null));
  }

  @Test
  void a_logger_with_appenders_of_its_own_needs_a_restart() throws JsonProcessingException {
    String given = "logging: {loggers: {a.b: {level: INFO, appenders: []}, a.b.c: INFO}}";
    assertThat(shown(given))
        .contains(
            new Setting("logging.loggers.a.b.level", "INFO", "", Source.FILE, Changes.RESTART),
            new Setting("logging.loggers.a.b.c", "INFO", "", Source.FILE, Changes.LIVE));
  }

  @Test
  void no_secret_is_shown() throws JsonProcessingException {
    String given =
        """
        cluster: {credentials: {username: sluice, password: s3cret}}
        logging: {appenders: [{type: tcp, keyStorePassword: s3cret, host: h}]}
        """;
    assertThat(shown(given))
        .contains(
            new Setting("cluster.credentials.username", "sluice", "", Source.FILE, Changes.RESTART),
            new Setting("cluster.credentials.password", "****", "", Source.FILE, Changes.RESTART))
        .noneMatch(setting -> setting.toString().contains("s3cret"));
  }
}
