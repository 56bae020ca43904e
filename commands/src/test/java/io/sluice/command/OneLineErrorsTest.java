package io.sluice.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A user's error is one line with a way out; a bug of the program keeps its stack trace. */
class OneLineErrorsTest {
  private final StringWriter err = new StringWriter();

  @Command(name = "sluice try", subcommands = Read.class, mixinStandardHelpOptions = true)
  static final class Try {}

  @Command(name = "read", mixinStandardHelpOptions = true)
  static final class Read implements Callable<Integer> {
    @Option(names = "--nodes")
    private int nodes = 1;

    @Override
    public Integer call() throws IOException {
      switch (nodes) {
        case 0 -> throw new FileNotFoundException("there is no such file");
        case -1 -> throw new IllegalStateException("a fault of the program");
        default -> {
          return 0;
        }
      }
    }
  }

  private int run(String line) {
    return OneLineErrors.on(new CommandLine(new Try()), IOException.class)
        .setErr(new PrintWriter(err))
        .execute(line.split(" ", -1));
  }

  @Test
  void a_successful_command_prints_nothing() {
    assertThat(run("read --nodes 3")).isZero();
    assertThat(err.toString()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--help-me   | Unknown option: '--help-me'; did you mean --help? (sluice try --help",
        "read --node=3 | Unknown option: '--node=3'; did you mean --nodes? (sluice try read --help",
        "reed         | Unmatched argument at index 0: 'reed'; did you mean read? (sluice try"
            + " --help",
        "read --nodes x | Invalid value for option '--nodes': 'x' is not an int (sluice try read"
            + " --help",
      })
  void a_wrong_command_line_is_one_line_with_the_way_to_the_options(String line, String said) {
    assertThat(run(line)).isEqualTo(2);
    assertThat(err.toString())
        .isEqualTo("sluice: " + said + " lists the options)" + System.lineSeparator());
  }

  @Test
  void a_missing_command_is_answered_with_the_commands() {
    assertThat(OneLineErrors.on(new CommandLine(new Try())).setErr(new PrintWriter(err)).execute())
        .isEqualTo(2);
    assertThat(err.toString())
        .isEqualToIgnoringNewLines(
            "sluice: a command is missing: read (sluice try --help lists the options)");
  }

  @Test
  void a_failure_of_an_expected_type_or_below_it_is_its_message() {
    assertThat(run("read --nodes 0")).isEqualTo(1);
    assertThat(err.toString()).isEqualToIgnoringNewLines("sluice: there is no such file");
  }

  @Test
  void any_other_failure_has_its_stack_trace() {
    assertThat(run("read --nodes=-1")).isEqualTo(1);
    assertThat(err.toString())
        .doesNotStartWith("sluice: ")
        .contains("IllegalStateException: a fault of the program", "Read.call");
  }
}
