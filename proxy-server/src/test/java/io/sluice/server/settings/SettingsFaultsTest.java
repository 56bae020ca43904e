package io.sluice.server.settings;

import static io.sluice.server.settings.SettingsText.faults;
import static io.sluice.server.settings.SettingsText.read;
import static io.sluice.server.settings.SettingsText.withCluster;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The messages about faulty configuration files. */
class SettingsFaultsTest {

  @Test
  void all_faults_are_reported_at_once() {
    assertThat(
            faults(
                """
                cql:
                  prot: 9042
                  maxUnanswered: 0
                  maxFrameBytes: 16 potatoes
                clutser: {}
                cluster:
                  contactPoints: ["10.0.0.1:nine", 10.0.0.2, "a b"]
                  links: {probeAfter: 500, suspectAfter: 1ms, idleAfter: never}
                scheduling:
                  mode: enfroce
                  rangeOrder: [fifo]
                  ageing: 2
                  pointPriority: perhaps
                  tenantWeights: {reports: -1}
                readTimeout: 3s
                ioThreads: 1.5
                drainTimeout: {s: 3}
                """))
        .extracting(Fault::key)
        .containsExactlyInAnyOrder(
            "cql.prot",
            "cql.maxUnanswered",
            "cql.maxFrameBytes",
            "clutser",
            "cluster.contactPoints[0]",
            "cluster.contactPoints[2]",
            "cluster.localDatacenter",
            "cluster.links.probeAfter",
            "cluster.links.suspectAfter",
            "cluster.links.idleAfter",
            "scheduling.mode",
            "scheduling.rangeOrder",
            "scheduling.ageing",
            "scheduling.pointPriority",
            "scheduling.tenantWeights.reports",
            "readTimeout",
            "ioThreads",
            "drainTimeout");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "cql: {prot: 9042} | cql.prot | 9042 | no such key | did you mean port?",
        "cql: {port: 70000} | cql.port | 70000 | must be 0 to 65535 | the default is 9042",
        "cql: {port: 99999999999} | cql.port | 99999999999 | must be a whole number"
            + " | the default is 9042",
        "cql: [1] | cql | [1] | must be a section: keys, each with a value"
            + " | `server --reference` shows an example",
        "readTimeout: 3s | readTimeout | \"3s\" | no such key"
            + " | did you mean scheduling.readTimeout?",
        "requestTimeout: 3 | requestTimeout | 3"
            + " | must be a duration with its unit, such as 500ms, 5s or 2m"
            + " | `server --reference` shows an example",
        "requestTimeout: 1ms | requestTimeout | \"1ms\" | must be at least 100ms"
            + " | `server --reference` shows an example",
        "scheduling: {mode: enfroce} | scheduling.mode | \"enfroce\""
            + " | must be one of enforce, observe, passthrough | did you mean enforce?",
        "scheduling: {mode: false} | scheduling.mode | false"
            + " | must be one of enforce, observe, passthrough | the default is enforce",
        "split: {parallel: true} | split.parallel | true"
            + " | must be one of off, paper, waves | the default is waves",
        "scheduling: {rangeSlotsStart: 0} | scheduling.rangeSlotsStart | 0"
            + " | must be at least rangeSlotsMin (1) | raise it or lower rangeSlotsMin",
        "cql: {maxFrameBytes: 9GiB} | cql.maxFrameBytes | \"9GiB\""
            + " | must be a size below 2 GiB, such as 64KiB or 16MiB | the default is 16777216",
        "preparedStatementsBytes: much | preparedStatementsBytes | \"much\""
            + " | must be a size, such as 64KiB or 16MiB | the default is 67108864",
        "preparedStatementsBytes: 99999999999999999999 | preparedStatementsBytes"
            + " | 99999999999999999999 | must be a size, such as 64KiB or 16MiB"
            + " | the default is 67108864",
        "cql: {advertise: nowhere.invalid} | cql.advertise | \"nowhere.invalid\""
            + " | must be an address that can be resolved | `server --reference` shows an example",
        "cql: {advertise: 0.0.0.0:9042} | cql.advertise | \"0.0.0.0:9042\""
            + " | must be the address of one host"
            + " | write the address at which clients reach the proxy",
        "cql: {advertise: '[::]'} | cql.advertise | \"[::]\" | must be the address of one host"
            + " | write the address at which clients reach the proxy",
        "cql: {advertise: 10.0.0.9:0} | cql.advertise | \"10.0.0.9:0\""
            + " | must have a port from 1 to 65535"
            + " | write the port at which clients reach the proxy",
        "cql: {advertise: 10.0.0.9, peers: [0.0.0.0:9042]} | cql.peers[0] | \"0.0.0.0:9042\""
            + " | must be the address of one host"
            + " | write the address at which clients reach the proxy",
        "cql: {advertise: 10.0.0.9, peers: [10.0.0.8:0]} | cql.peers[0] | \"10.0.0.8:0\""
            + " | must have a port from 1 to 65535"
            + " | write the port at which clients reach the proxy",
        "cql: {peers: keyspace} | cql.advertise | (not set)"
            + " | must be set where cql.peers is: every proxy has to give the same answer"
            + " | write the address at which clients reach this proxy",
        "admin: {port: 9042} | admin.port | 9042 | must differ from cql.port"
            + " | choose another one",
        "scheduling: {concurrentReads: 4, rangeSlots: 16} | scheduling.rangeSlots | 16"
            + " | must be at most concurrentReads (4) | lower it or raise concurrentReads",
        "logging: {level: LOUD} | logging.level | \"LOUD\""
            + " | must be one of TRACE, DEBUG, INFO, WARN, ERROR, OFF, ALL | the usual one is INFO",
        "drainTimeout: ${NOT_SET} | drainTimeout | \"${NOT_SET}\""
            + " | environment variable NOT_SET is not set"
            + " | set it, or write ${NOT_SET:-default}",
        "split: {readAhead: false} | split.readAhead | false | was removed, because a page that is"
            + " read before the client requests it can lack acknowledged writes | delete the line",
        "logging: {levle: INFO} | logging.levle | \"INFO\" | no such key | did you mean level?",
      })
  void a_fault_has_its_key_its_value_and_a_suggestion(
      String line, String key, String value, String problem, String suggestion) {
    assertThat(faults(withCluster(line).replace("`", "")))
        .containsExactly(new Fault(key, value, problem, suggestion));
  }

  @Test
  void all_faults_of_one_section_are_reported_and_the_advice_helps() {
    String links = "{probeAfter: 2s, suspectAfter: 1s, dropAfter: 500ms, idleAfter: 0s}";
    assertThat(faults("cluster: {contactPoints: [a], localDatacenter: dc1, links: " + links + "}"))
        .containsExactly(
            new Fault(
                "cluster.links.suspectAfter",
                "\"1s\"",
                "must be longer than probeAfter (2s)",
                "raise it or lower probeAfter"),
            new Fault(
                "cluster.links.dropAfter",
                "\"500ms\"",
                "must be longer than suspectAfter (1s)",
                "raise it or lower suspectAfter"),
            new Fault(
                "cluster.links.idleAfter", "\"0s\"", "must be at least 1s", "the default is 300s"));
  }

  @Test
  void a_default_that_contradicts_a_set_value_is_reported_as_a_default() {
    assertThat(
            faults("cluster: {contactPoints: [a], localDatacenter: dc, links: {probeAfter: 2s}}"))
        .containsExactly(
            new Fault(
                "cluster.links.suspectAfter",
                "1500ms (the default)",
                "must be longer than probeAfter (2s)",
                "raise it or lower probeAfter"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cluster: {contactPoints: [${X}], localDatacenter: dc}",
        "cluster: {contactPoints: ['${X}'], localDatacenter: dc}",
        "cluster:\n  contactPoints:\n    - ${X}\n  localDatacenter: dc",
      })
  void an_unset_variable_is_reported_in_either_style_of_yaml(String text) {
    assertThat(faults(text + "\ncql: {port: 70000}\n# ${Y} in a comment\n"))
        .containsExactly(
            new Fault(
                "cluster.contactPoints[0]",
                "\"${X}\"",
                "environment variable X is not set",
                "set it, or write ${X:-default}"),
            new Fault("cql.port", "70000", "must be 0 to 65535", "the default is 9042"));
  }

  @Test
  void unknown_log_levels_are_reported_at_any_place() {
    assertThat(
            faults(
                withCluster(
                    "logging: {level: of, loggers: {io.netty: WARM, a.b: {level: X}}, appenders:"
                        + " [{type: console, threshold: Y}]}")))
        .extracting(Fault::key)
        .containsExactly(
            "logging.level",
            "logging.loggers.io.netty",
            "logging.loggers.a.b.level",
            "logging.appenders[0].threshold");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "# nothing\n", "cluster:\n", "cluster: {}\n"})
  void an_empty_file_lacks_the_keys_without_a_default(String text) {
    assertThat(faults(text))
        .containsExactly(
            new Fault(
                "cluster.contactPoints",
                "(not set)",
                "must name at least one node",
                "write contactPoints: [\"10.0.0.1:9042\"]"),
            new Fault(
                "cluster.localDatacenter",
                "(not set)",
                "must not be empty",
                "write localDatacenter: datacenter1, as `nodetool status` names it"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "cql.port | -1 | 65536",
        "cql.maxConnections | 0 | -5",
        "cql.maxFrameBytes | 1023KiB | -1",
        "cql.maxUnanswered | 0 | 32769",
        "cql.maxUnreadBytes | 1023KiB | 0",
        "cluster.agreementTimeout | 0s | 0ms",
        "cluster.links.connectTimeout | 0s | 0ms",
        "cluster.links.probeAfter | 0s | 0ms",
        "cluster.links.suspectAfter | 500ms | 1ms",
        "cluster.links.dropAfter | 1500ms | 1ms",
        "cluster.links.idleAfter | 0s | 999ms",
        "scheduling.concurrentReads | -1 | -2",
        "scheduling.rangeSlots | -1 | -2",
        "scheduling.rangeSlotsMin | 0 | -1",
        "scheduling.rangeSlotsStart | 0 | -1",
        "scheduling.readTimeout | 0s | 99ms",
        "scheduling.rangeTimeout | 0s | 0ms",
        "scheduling.pointBacklog | 0 | -0.1",
        "scheduling.rangeBacklog | 0 | -0.1",
        "scheduling.ageing | -0.1 | 1.1",
        "requestTimeout | 0s | 99ms",
        "ioThreads | -1 | -2",
        "preparedStatements | 0 | -1",
        "preparedStatementsBytes | 0 | 1048575",
        "admin.port | -1 | 65536",
      })
  void a_value_that_the_core_refuses_is_reported_with_its_key(
      String key, String one, String other) {
    for (String value : List.of(one, other)) {
      assertThat(faults(nested(key, value)))
          .as("%s: %s", key, value)
          .singleElement()
          .satisfies(fault -> assertThat(fault.key()).isEqualTo(key))
          .satisfies(fault -> assertThat(fault.value().replace("\"", "")).isEqualTo(value))
          .satisfies(fault -> assertThat(fault.problem()).startsWith("must "));
    }
  }

  /** A file with a cluster and {@code key}. */
  private static String nested(String key, String value) {
    String cluster = "contactPoints: [10.0.0.1], localDatacenter: dc1";
    String flow = key.substring(key.indexOf('.') + 1).replace(".", ": {") + ": " + value;
    String closing = "}".repeat((int) key.chars().filter(c -> c == '.').count());
    if (key.startsWith("cluster.")) {
      return "cluster: {" + cluster + ", " + flow + closing;
    }
    String first = key.contains(".") ? key.substring(0, key.indexOf('.')) + ": {" : "";
    return "cluster: {" + cluster + "}\n" + first + flow + closing;
  }

  @Test
  void text_that_is_not_yaml_is_reported_with_its_line() {
    assertThat(faults("cql:\n  port: [1\n"))
        .singleElement()
        .satisfies(fault -> assertThat(fault.key()).startsWith("line "))
        .satisfies(fault -> assertThat(fault.value()).isEqualTo("not YAML"));
    assertThat(faults("cql: {}\ncql: {}\n"))
        .singleElement()
        .satisfies(fault -> assertThat(fault.key()).isEqualTo("line 2"));
    assertThat(faults("- a\n- b\n"))
        .extracting(Fault::problem)
        .containsExactly("must consist of sections");
  }

  @Test
  void secrets_are_not_repeated() throws Exception {
    assertThat(
            faults(
                """
                clustr: {credentials: {username: u, password: hunter2}}
                cluster:
                  contactPoints: [10.0.0.1]
                  localDatacenter: dc1
                  credentials: {user: hunter2, password: [hunter2]}
                admin: [{token: hunter2}]
                """))
        .hasSizeGreaterThan(2)
        .allSatisfy(fault -> assertThat(fault.toString()).doesNotContain("hunter2"));
    Settings settings =
        read(
            """
            cluster:
              contactPoints: [10.0.0.1]
              localDatacenter: dc1
              credentials: {username: u, password: hunter2}
            """);
    assertThat(settings.toString() + Summary.of(settings)).doesNotContain("hunter2");
  }

  @Test
  void half_a_login_is_a_fault() {
    assertThat(
            faults(
                """
                cluster:
                  contactPoints: [10.0.0.1]
                  localDatacenter: dc1
                  credentials: {username: u}
                """))
        .extracting(Fault::key, Fault::problem)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("cluster.credentials.password", "must be set"));
  }
}
