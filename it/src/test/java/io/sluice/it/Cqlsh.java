package io.sluice.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The output of cqlsh, without the parts that differ between runs. */
final class Cqlsh {
  private static final Pattern TABLE_ID = Pattern.compile("id = [0-9a-f-]{36}");
  private static final Pattern SESSION = Pattern.compile("Tracing session: [0-9a-f-]{36}");
  private static final Pattern RATES =
      Pattern.compile(
          "(?i)processed: .*|.*rows?/s.*|.*in ([0-9]+ day.* and )?[0-9.]+ seconds.*|.* using \\d+ child.*");

  /** A row of a trace: activity, time, source, elapsed, client. */
  private static final Pattern TRACE_ROW =
      Pattern.compile(".*\\| +\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d.*");

  private Cqlsh() {}

  /** Returns the command line that runs a file of statements. */
  static List<String> command(Path home, Target target, Path script) {
    return Clients.command(
        home.resolve("bin/python"),
        home.resolve("bin/cqlsh"),
        "--no-color",
        "--encoding",
        "utf-8",
        "--connect-timeout",
        20,
        "--request-timeout",
        30,
        "-f",
        script,
        target.host(),
        target.port());
  }

  /** Returns the line; an empty text if it has only times. */
  static String withoutTime(String line) {
    if (RATES.matcher(line).find() || TRACE_ROW.matcher(line).matches()) {
      return "";
    }
    String kept = TABLE_ID.matcher(line).replaceAll("id = <id>");
    kept = SESSION.matcher(kept).replaceAll("Tracing session: <id>");
    // Columns are as wide as their widest value, which may be a name.
    return kept.replaceAll(" +", " ").replaceAll("-{3,}[-+]*", "---");
  }

  /** Deletes a folder with all its files. */
  static void delete(Path folder) throws IOException {
    List<Path> files;
    try (Stream<Path> walk = Files.walk(folder)) {
      files = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : files) {
      Files.deleteIfExists(file);
    }
  }
}
