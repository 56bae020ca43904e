package io.sluice.evaluate;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of evaluations that measure one load after another on the same tables. */
final class TableOptions extends BedOptions {
  @Option(
      names = "--rows",
      paramLabel = "N",
      description = "rows of 1 KB (default: 100000; quick: 20000)")
  private @Nullable Integer rows;

  TableOptions() {
    super(new Defaults(30, 3, Duration.ofSeconds(270)));
  }

  @Override
  @Nullable Integer givenRows() {
    Integer given = rows;
    return given == null ? null : Integer.valueOf(atLeastOne("--rows", given));
  }
}
