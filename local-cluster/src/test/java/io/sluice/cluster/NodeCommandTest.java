package io.sluice.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeCommandTest {
  private static final List<Path> JARS =
      List.of(Path.of("/jars/jamm-0.4.0.jar"), Path.of("/jars/a b.jar"));

  private final ClusterSpec spec = ClusterSpec.defaults();

  @Test
  void the_memory_meter_is_the_first_agent() {
    assertThat(args(spec.withJvmArg("-javaagent:/mine.jar")))
        .startsWith("-javaagent:/jars/jamm-0.4.0.jar")
        .containsSubsequence("-javaagent:/mine.jar", "-cp");
  }

  @Test
  void a_configured_collector_replaces_the_serial_one() {
    assertThat(args(spec)).contains("-XX:+UseSerialGC");
    assertThat(args(spec.withJvmArg("-XX:+UseG1GC")))
        .contains("-XX:+UseG1GC")
        .doesNotContain("-XX:+UseSerialGC");
  }

  @Test
  void the_argument_file_keeps_spaces_and_backslashes() {
    assertThat(NodeCommand.argumentFile(List.of("-cp", "a b", "c\\d", "e\"f")))
        .isEqualTo("\"-cp\"\n\"a b\"\n\"c\\\\d\"\n\"e\\\"f\"\n");
  }

  private static List<String> args(ClusterSpec spec) {
    return NodeCommand.of(spec, new RingPlan(spec, true).nodes().get(0), JARS, List.of());
  }
}
