package io.sluice.server.settings;

import static io.sluice.server.settings.SettingsText.read;
import static io.sluice.server.settings.SettingsText.withCluster;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ProxyConfig;
import io.sluice.accept.ListenConfig;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.fleet.FleetConfig;
import io.sluice.tls.TlsConfig;
import io.sluice.watch.ClusterConfig;
import io.sluice.wire.Compression;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Valid configuration files, and the settings in them. */
class SettingsReaderTest {

  private static final String SMALLEST =
      """
      cql:     {host: 0.0.0.0, port: 9042}
      cluster: {contactPoints: ["10.0.0.1:9042"], localDatacenter: datacenter1}
      """;

  @Test
  void off_is_a_word_and_not_a_boolean() throws Exception {
    Settings settings =
        read(
            """
            cluster: {contactPoints: [a], localDatacenter: dc}
            split: {parallel: off}
            """);
    assertThat(settings.split().parallel()).isEqualTo(SplitConfig.Parallel.OFF);
  }

  /** Helm writes an off without quotes so. */
  @ParameterizedTest
  @ValueSource(strings = {"off", "\"off\"", "OFF", "false"})
  void off_may_be_written_as_false(String off) throws Exception {
    Settings settings =
        read(
            """
            cluster: {contactPoints: [a], localDatacenter: dc, tls: {mode: %1$s}}
            cql: {tls: {mode: %1$s}}
            admin: {tls: {mode: %1$s}}
            split: {parallel: %1$s}
            logging: {level: %1$s, loggers: {a.b: %1$s, c.d: {level: %1$s}}}
            """
                .formatted(off));

    assertThat(settings.split().parallel()).isEqualTo(SplitConfig.Parallel.OFF);
    assertThat(
            List.of(
                settings.cql().tls().mode(),
                settings.cluster().tls().mode(),
                settings.admin().tls().mode()))
        .containsOnly(TlsConfig.Mode.OFF);
    assertThat(settings.logging().getLevel()).isEqualToIgnoringCase("off");
    assertThat(settings.logging().getLoggers().get("a.b").textValue()).isEqualToIgnoringCase("off");
    assertThat(settings.logging().getLoggers().get("c.d").get("level").textValue())
        .isEqualToIgnoringCase("off");
  }

  @Test
  void the_smallest_file_is_the_cores_defaults_around_it() throws Exception {
    ProxyConfig expected =
        ProxyConfig.of(
            ListenConfig.on("0.0.0.0", 9042),
            new ClusterConfig(
                List.of(new InetSocketAddress("10.0.0.1", 9042)),
                "datacenter1",
                null,
                Duration.ofSeconds(10)));

    Settings settings = read(SMALLEST);

    assertThat(settings.proxyConfig()).isEqualTo(expected);
    assertThat(settings.admin()).isEqualTo(AdminSettings.defaults());
    assertThat(settings.drainTimeout()).isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void one_word_stands_for_the_keyspace_of_the_fleet() throws Exception {
    FleetConfig fleet =
        read(SMALLEST.replace("port: 9042}", "advertise: 127.0.0.7, peers: keyspace}"))
            .proxyConfig()
            .fleet();

    assertThat(fleet)
        .isEqualTo(new FleetConfig(new InetSocketAddress("127.0.0.7", 9042), List.of(), true));
    assertThat(read(SMALLEST).proxyConfig().fleet()).isEqualTo(FleetConfig.alone());
  }

  @Test
  void every_key_reaches_the_core() throws Exception {
    ProxyConfig config =
        read("""
            cql:
              host: 127.0.0.1
              port: 0
              maxConnections: 11
              maxFrameBytes: 2MiB
              maxUnanswered: 12
              maxUnreadBytes: 3145728
              handshakeTimeout: 4s
              maxMemoryPercent: 30
              handover: /run/sluice/handover.sock
              advertise: 127.0.0.7
              peers: ["127.0.0.8:9043", "[::2]:9044", "dns:proxies.invalid:9045", keyspace]
            cluster:
              contactPoints: [127.0.0.6:19042, 127.0.0.2]
              localDatacenter: dc2
              credentials: {username: sluice, password: secret}
              agreementTimeout: 3s
              startTimeout: 90s
              links:
                compression: lz4
                connectTimeout: 1s
                probeAfter: 100ms
                suspectAfter: 200ms
                dropAfter: 300ms
                idleAfter: 1m
            scheduling:
              mode: observe
              pointPriority: false
              rangeOrder: narrow-first
              concurrentReads: 16
              rangeSlots: 4
              rangeSlotsStart: 5
              rangeSlotsMin: 3
              rangeShare: 0.2
              hedgeShare: 0.01
              readTimeout: 4s
              rangeTimeout: 8s
              pointBacklog: 0.6
              rangeBacklog: 0.7
              ageing: 1
              tenantWeights: {reports: 0.5}
            requestTimeout: 9s
            ioThreads: 2
            preparedStatements: 77
            preparedStatementsBytes: 7654321
            """)
            .proxyConfig();

    assertThat(config.cql())
        .isEqualTo(
            new ListenConfig("127.0.0.1", 0, 11, 2 << 20, 12, 3 << 20, Duration.ofSeconds(4), 30)
                .withHandover(Path.of("/run/sluice/handover.sock")));
    assertThat(config.fleet().advertise()).isEqualTo(new InetSocketAddress("127.0.0.7", 9042));
    assertThat(config.fleet().keyspace()).isTrue();
    assertThat(config.fleet().peers())
        .containsExactly(
            new InetSocketAddress("127.0.0.8", 9043),
            new InetSocketAddress("::2", 9044),
            InetSocketAddress.createUnresolved("proxies.invalid", 9045));
    assertThat(config.cluster())
        .isEqualTo(
            new ClusterConfig(
                List.of(
                    new InetSocketAddress("127.0.0.6", 19042),
                    new InetSocketAddress("127.0.0.2", 9042)),
                "dc2",
                new ClusterConfig.Credentials("sluice", "secret"),
                Duration.ofSeconds(3),
                Duration.ofSeconds(90)));
    assertThat(config.links())
        .isEqualTo(
            new io.sluice.link.LinkConfig(
                Compression.LZ4,
                Duration.ofSeconds(1),
                Duration.ofMillis(100),
                Duration.ofMillis(200),
                Duration.ofMillis(300),
                Duration.ofMinutes(1)));
    assertThat(config.scheduling())
        .isEqualTo(
            new SchedulingConfig(
                SchedulingConfig.Mode.OBSERVE,
                false,
                SchedulingConfig.RangeOrder.NARROW_FIRST,
                16,
                4,
                5,
                3,
                0.2,
                0.01,
                Duration.ofSeconds(4),
                Duration.ofSeconds(8),
                0.6,
                0.7,
                1,
                Map.of("reports", 0.5)));
    assertThat(config.requestTimeout()).isEqualTo(Duration.ofSeconds(9));
    assertThat(config.ioThreads()).isEqualTo(2);
    assertThat(config.preparedStatements()).isEqualTo(77);
    assertThat(config.preparedStatementsBytes()).isEqualTo(7654321);
  }

  @Test
  void sizes_that_are_longs_have_no_limit_of_two_gibibytes() throws Exception {
    ProxyConfig config =
        read(withCluster(
                """
                    split: {maxBufferedBytes: 5GiB}
                    preparedStatementsBytes: 2147483648
                    """))
            .proxyConfig();

    assertThat(config.split().maxBufferedBytes()).isEqualTo(5L << 30);
    assertThat(config.preparedStatementsBytes()).isEqualTo(2L << 30);
  }

  @Test
  void variables_are_replaced_and_have_defaults() throws Exception {
    Settings settings =
        read(
            """
            cql: {port: ${PORT:-9042}}
            cluster:
              contactPoints: [${NODES:-127.0.0.9}]
              localDatacenter: ${DC:-datacenter1}
            """,
            Map.of("PORT", "19042", "NODES", "127.0.0.1:1, 127.0.0.2:2"));

    assertThat(settings.cql().port()).isEqualTo(19042);
    assertThat(settings.cluster().localDatacenter()).isEqualTo("datacenter1");
    assertThat(settings.cluster().contactPoints())
        .extracting(InetSocketAddress::getPort)
        .containsExactly(1, 2);
  }

  @Test
  void a_login_of_two_unset_variables_is_none() throws Exception {
    String file =
        """
        cluster:
          contactPoints: [10.0.0.1]
          localDatacenter: dc1
          credentials: {username: '${SLUICE_USERNAME:-}', password: '${SLUICE_PASSWORD:-}'}
        """;

    assertThat(read(file, Map.of()).cluster().credentials()).isNull();
    assertThat(
            read(file, Map.of("SLUICE_USERNAME", "u", "SLUICE_PASSWORD", "p: #"))
                .cluster()
                .credentials())
        .isEqualTo(new ClusterSettings.Login("u", "p: #"));
  }

  @Test
  void levels_of_packages_are_added_to_the_defaults() throws Exception {
    Settings settings = read(withCluster("logging: {level: DEBUG, loggers: {io.sluice: TRACE}}"));

    io.dropwizard.logging.common.DefaultLoggingFactory logging =
        (io.dropwizard.logging.common.DefaultLoggingFactory) settings.logging();
    assertThat(logging.getLevel()).isEqualTo("DEBUG");
    assertThat(logging.getLoggers().keySet())
        .contains("io.sluice", "com.datastax.oss.driver", "io.netty");
  }
}
