package io.sluice.setting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.audit.AuditConfig;
import io.sluice.console.ConsoleConfig;
import io.sluice.usage.SlowLogConfig;
import io.sluice.watch.ClusterConfig;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the messages about values of settings that are refused. */
class RequirementsTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  private static void assertRefused(Requirements requirements, String message) {
    assertThatThrownBy(requirements::check).isInstanceOf(RefusedSettings.class).hasMessage(message);
  }

  @Test
  void a_value_at_its_limit_is_accepted() {
    Requirements.of("a")
        .atLeast("n", 5, 5)
        .atLeast("d", SECOND, SECOND)
        .longerThan("e", SECOND.plusNanos(1), "d", SECOND)
        .that(true, "x", "y", "must be z")
        .check();
  }

  @Test
  void a_value_below_its_limit_is_refused_with_its_key_and_the_limit() {
    assertRefused(Requirements.of("a").atLeast("n", 4, 5), "a.n must be at least 5, not 4");
    assertRefused(
        Requirements.of("").atLeast("d", Duration.ofMillis(999), SECOND),
        "d must be at least 1s, not 999ms");
    assertRefused(
        Requirements.of("a").longerThan("e", SECOND, "d", SECOND),
        "a.e must be longer than d (1s), not 1s");
  }

  @Test
  void all_refused_values_are_reported_together() {
    Requirements requirements =
        Requirements.of("a")
            .that(false, "x", "y", "must be z")
            .that(false, "v", 7, "must be 8", "set it to 8");
    assertThatThrownBy(requirements::check)
        .isInstanceOfSatisfying(
            RefusedSettings.class,
            refused ->
                assertThat(refused.all())
                    .containsExactly(
                        new InvalidSetting("a.x", "y", "must be z", ""),
                        new InvalidSetting("a.v", 7, "must be 8", "set it to 8")))
        .hasMessage("a.x must be z, not y; a.v must be 8, not 7");
  }

  @Test
  void a_duration_that_is_too_short_comes_with_advice() {
    assertThatThrownBy(Requirements.of("").longerThan("e", SECOND, "d", SECOND)::check)
        .isInstanceOfSatisfying(
            RefusedSettings.class,
            refused -> assertThat(refused.all().get(0).advice()).isEqualTo("raise it or lower d"));
  }

  static Stream<Arguments> written() {
    return Stream.of(
        Arguments.of(Duration.ofSeconds(90), "90s"),
        Arguments.of(Duration.ZERO, "0s"),
        Arguments.of(Duration.ofMillis(1_500), "1500ms"),
        Arguments.of(TimeUnit.SECONDS, "seconds"),
        Arguments.of(Thread.State.TIMED_WAITING, "timed-waiting"),
        Arguments.of(List.of("a", "b"), "[a, b]"));
  }

  @ParameterizedTest
  @MethodSource("written")
  void a_value_is_written_as_in_a_configuration_file(Object value, String text) {
    assertThat(InvalidSetting.written(value)).isEqualTo(text);
  }

  @Test
  void a_secret_is_shown_to_nobody_but_those_who_reveal_it() {
    Secret secret = new Secret("hunter2");
    assertThat(secret).hasToString("****");
    assertThat(secret.reveal()).isEqualTo("hunter2");
    assertThat(secret.chars()).containsExactly('h', 'u', 'n', 't', 'e', 'r', '2');
    assertThat(secret)
        .isEqualTo(new Secret("hunter2"))
        .hasSameHashCodeAs(new Secret("hunter2"))
        .isNotEqualTo(new Secret("hunter3"))
        .isNotEqualTo("hunter2")
        .isNotEqualTo(null);
  }

  private static ThrowingCallable audit(int lines) {
    return () -> new AuditConfig(true, true, true, lines);
  }

  private static ThrowingCallable slowLog(
      @Nullable Duration points, @Nullable Duration ranges, @Nullable Duration writes, int lines) {
    return () -> new SlowLogConfig(points, ranges, writes, false, lines);
  }

  private static ThrowingCallable console(int statements, String... roles) {
    return () -> new ConsoleConfig(List.of(roles), statements);
  }

  private static ThrowingCallable cluster(
      int points, String datacenter, Duration agreement, @Nullable Duration start) {
    InetSocketAddress point = InetSocketAddress.createUnresolved("node", 9042);
    return () ->
        new ClusterConfig(Collections.nCopies(points, point), datacenter, null, agreement, start);
  }

  static Stream<ThrowingCallable> accepted() {
    Duration least = Duration.ofMillis(1);
    return Stream.of(
        audit(1),
        audit(1_000),
        slowLog(null, null, null, 1),
        slowLog(least, least, least, 1_000),
        console(0),
        console(10_000, "ops"),
        cluster(1, "east", Duration.ofMillis(100), null),
        cluster(2, "east", Duration.ofMillis(100), Duration.ZERO));
  }

  @ParameterizedTest
  @MethodSource("accepted")
  void settings_at_their_limits_are_accepted(ThrowingCallable settings) throws Throwable {
    settings.call();
  }

  static Stream<Arguments> refused() {
    Duration none = Duration.ofNanos(999_999);
    return Stream.of(
        Arguments.of(audit(0), "audit.linesPerSecond must be 1 to 1000, not 0"),
        Arguments.of(audit(1_001), "audit.linesPerSecond must be 1 to 1000, not 1001"),
        Arguments.of(
            slowLog(none, none, none, 0),
            "slowLog.pointReads must be at least 1ms, not 0s;"
                + " slowLog.rangeReads must be at least 1ms, not 0s;"
                + " slowLog.writes must be at least 1ms, not 0s;"
                + " slowLog.linesPerSecond must be 1 to 1000, not 0"),
        Arguments.of(
            slowLog(null, null, null, 1_001), "slowLog.linesPerSecond must be 1 to 1000, not 1001"),
        Arguments.of(console(-1), "console.statements must be 0 to 10000, not -1"),
        Arguments.of(console(10_001), "console.statements must be 0 to 10000, not 10001"),
        Arguments.of(
            console(1, "ops", " "), "console.roles must not contain an empty role, not [ops,  ]"),
        Arguments.of(
            cluster(0, " ", Duration.ofMillis(99), Duration.ofMillis(-1)),
            "cluster.contactPoints must name at least one node, not [];"
                + " cluster.localDatacenter must not be empty, not  ;"
                + " cluster.agreementTimeout must be at least 100ms, not 99ms;"
                + " cluster.startTimeout must be at least 0s, not -1ms"));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void settings_beyond_their_limits_are_refused(ThrowingCallable settings, String message) {
    assertThatThrownBy(settings).isInstanceOf(RefusedSettings.class).hasMessage(message);
  }

  @Test
  void what_is_switched_off_is_off() {
    assertThat(AuditConfig.off()).isEqualTo(new AuditConfig(false, false, false, 20));
    assertThat(SlowLogConfig.off()).isEqualTo(new SlowLogConfig(null, null, null, false, 10));
    assertThat(ConsoleConfig.defaults()).isEqualTo(new ConsoleConfig(List.of(), 300));
  }

  @Test
  void a_password_is_not_part_of_a_text() {
    assertThat(new ClusterConfig.Credentials("proxy", "hunter2")).hasToString("Credentials[proxy]");
  }
}
