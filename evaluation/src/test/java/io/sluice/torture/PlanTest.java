package io.sluice.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class PlanTest {
  private static Plan of(int seconds, int nodes, int proxies) {
    return new Plan(seconds, nodes, proxies, false, 1, 2, 3, Path.of("runs"), null);
  }

  @ParameterizedTest
  @CsvSource({
    "9, 3, 2, --seconds",
    "10, 2, 2, --nodes",
    "10, 8, 2, --nodes",
    "10, 3, 9, --proxies"
  })
  void an_option_out_of_range_is_named(int seconds, int nodes, int proxies, String option) {
    assertThatThrownBy(() -> of(seconds, nodes, proxies)).hasMessageStartingWith(option + " must");
  }

  @Test
  void a_run_without_proxies_has_the_same_faults_at_nodes_and_none_at_proxies() {
    Schedule through = of(300, 3, 2).schedule(5);
    Schedule direct = of(300, 3, 0).schedule(5);

    assertThat(through.of(Fault.Place.PROXIES)).isNotEmpty();
    assertThat(direct.of(Fault.Place.PROXIES)).isEmpty();
    assertThat(direct.of(Fault.Place.NODES)).isNotEmpty();
  }

  @Test
  void the_direct_run_of_a_seed_has_files_of_its_own() {
    assertThat(of(10, 3, 2).folder(4)).isEqualTo(Path.of("runs", "seed-4"));
    assertThat(of(10, 3, 0).folder(4)).isEqualTo(Path.of("runs", "seed-4-direct"));
    assertThat(of(10, 3, 1).target()).isEqualTo("through 1 proxy");
    assertThat(of(10, 3, 0).target()).isEqualTo("direct");
  }

  /** The command line of {@code torture}, without its runs. */
  private static Plan plan(String... options) {
    return CommandLine.populateCommand(new TortureCommand(), options).plan();
  }

  @Test
  void no_proxies_are_a_fault_of_the_command_line_unless_the_run_is_direct() {
    assertThatThrownBy(() -> plan("--proxies", "0"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("--proxies must be 1 to 8; without a proxy: --direct instead");
    assertThat(plan("--direct").target()).isEqualTo("direct");
  }

  @Test
  void homes_are_of_several_proxies() {
    Plan plan = new Plan(10, 3, 2, true, 1, 2, 3, Path.of("runs"), null);
    assertThat(plan.target()).isEqualTo("through 2 proxies with homes");
    assertThatThrownBy(() -> new Plan(10, 3, 1, true, 1, 2, 3, Path.of("runs"), null))
        .hasMessageStartingWith("--homes must");
  }
}
