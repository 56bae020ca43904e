package io.sluice.accept;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.setting.InvalidSetting;
import io.sluice.setting.RefusedSettings;
import io.sluice.tls.TlsConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of {@link ListenConfig}: the bounds of each setting of the CQL port, and its defaults. */
class ListenConfigTest {

  private static final int MIB = 1 << 20;

  /** Returns the keys that are refused, with one setting of the smallest valid ones changed. */
  private static List<String> refused(String key, long value) {
    try {
      new ListenConfig(
          "h",
          (int) of("port", key, value, 0),
          (int) of("maxConnections", key, value, 1),
          (int) of("maxFrameBytes", key, value, MIB),
          (int) of("maxUnanswered", key, value, 1),
          (int) of("maxUnreadBytes", key, value, MIB),
          Duration.ofNanos(of("handshakeTimeout", key, value, 1_000_000)),
          (int) of("maxMemoryPercent", key, value, 1),
          (int) of("connectionsPerSecond", key, value, 0),
          TlsConfig.off(TlsConfig.Side.CLIENT),
          List.of(),
          null);
      return List.of();
    } catch (RefusedSettings e) {
      return e.all().stream().map(InvalidSetting::key).toList();
    }
  }

  private static long of(String key, String changed, long value, long least) {
    return key.equals(changed) ? value : least;
  }

  @ParameterizedTest
  @CsvSource({
    "port, 0, 65535, -1, 65536",
    "maxConnections, 1, 2147483647, 0, -1",
    "maxFrameBytes, 1048576, 2147483647, 1048575, -1",
    "maxUnanswered, 1, 32768, 0, 32769",
    "maxUnreadBytes, 1048576, 2147483647, 1048575, -1",
    "handshakeTimeout, 1000000, 60000000000, 999999, -1",
    "maxMemoryPercent, 1, 90, 0, 91",
    "connectionsPerSecond, 0, 2147483647, -1, -2147483648"
  })
  void a_setting_has_bounds(String key, long least, long most, long below, long beyond) {
    assertThat(refused(key, least)).isEmpty();
    assertThat(refused(key, most)).isEmpty();
    assertThat(refused(key, below)).containsExactly("cql." + key);
    assertThat(refused(key, beyond)).containsExactly("cql." + key);
  }

  @Test
  void all_faults_are_told_at_once() {
    try {
      new ListenConfig("h", -1, 0, 0, 0, 0, Duration.ZERO, 0);
    } catch (RefusedSettings e) {
      assertThat(e.all()).hasSize(7);
      return;
    }
    throw new AssertionError("accepted");
  }

  @Test
  void a_changed_part_leaves_the_others() {
    ListenConfig usual = ListenConfig.on("h", 9042);
    assertThat(usual.connectionsPerSecond()).isEqualTo(200);
    assertThat(usual.handover()).isNull();
    ListenConfig other = usual.withHandover(Path.of("x"));
    assertThat(other.handover()).isEqualTo(Path.of("x"));
    assertThat(other.withTls(usual.tls())).isEqualTo(other);
    assertThat(other.withTls(usual.tls(), List.of()).port()).isEqualTo(9042);
  }
}
