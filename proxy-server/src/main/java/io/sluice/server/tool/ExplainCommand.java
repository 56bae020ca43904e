package io.sluice.server.tool;

import ch.qos.logback.classic.Level;
import io.dropwizard.logging.common.BootstrapLogging;
import io.sluice.command.FileFailure;
import io.sluice.decide.classify.SchemaText;
import io.sluice.offline.OfflineExplain;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code explain}: shows the plan of a SELECT without a cluster. */
@Command(
    name = "explain",
    description = {
      "Shows how Sluice would read a SELECT from an otherwise idle cluster, given a schema and"
          + " a few numbers. Connects to nothing.",
      "The schema is the output of `cqlsh -e 'DESCRIBE SCHEMA'`. The assumptions are printed"
          + " before the"
          + " plan.",
      ""
    })
final class ExplainCommand implements Callable<Integer> {

  private static final long DEFAULT_ROWS = 1_000_000;

  @Spec private @Nullable CommandSpec spec;

  @Parameters(arity = "1", paramLabel = "SELECT", description = "The statement, as one argument.")
  private String select = "";

  @Option(
      names = "--schema",
      required = true,
      paramLabel = "FILE",
      description = "The file with the CREATE statements of keyspaces and tables.")
  private Path schema = Path.of("");

  @Option(
      names = "--keyspace",
      paramLabel = "NAME",
      description = "The keyspace of table names without one.")
  private @Nullable String keyspace;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      defaultValue = "3",
      description = "Nodes of the data centre (default: ${DEFAULT-VALUE}).")
  private int nodes;

  @Option(
      names = "--rf",
      paramLabel = "N",
      defaultValue = "0",
      description = "Copies of each row, at most one per node. Default: as in the schema, or 3.")
  private int replicas;

  @Option(
      names = "--vnodes",
      paramLabel = "N",
      defaultValue = "16",
      description = "Tokens of each node (default: ${DEFAULT-VALUE}).")
  private int tokens;

  @Option(
      names = "--rows",
      paramLabel = "[KEYSPACE.TABLE=]N",
      description =
          "Rows of each table, or of one table; may be repeated. Each partition has one row"
              + " (default: 1000000).")
  private List<String> rows = List.of();

  @Option(
      names = "--row-bytes",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Mean size of a row, in bytes (default: ${DEFAULT-VALUE}).")
  private long rowBytes;

  @Option(
      names = "--page-size",
      paramLabel = "N",
      defaultValue = "5000",
      description = "Rows per page; 0 for no paging (default: ${DEFAULT-VALUE}, as in drivers).")
  private int pageSize;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    BootstrapLogging.bootstrap(Level.OFF);
    CommandLine command = Objects.requireNonNull(spec).commandLine();
    OfflineExplain.Size size = size(command);
    SchemaText tables = read();
    OfflineExplain.Answer answer;
    try {
      answer = OfflineExplain.explain(size, tables, keyspace, select, pageSize);
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
    print(answer, command.getOut());
    return 0;
  }

  private void print(OfflineExplain.Answer answer, PrintWriter out) {
    if (json) {
      out.println(answer.json());
      return;
    }
    out.println("Assumed:");
    answer.assumed().forEach(line -> out.println("  " + line));
    out.println();
    List<List<Object>> cells = answer.rows().stream().map(row -> List.<Object>copyOf(row)).toList();
    new TextTable(answer.columns(), cells).lines().forEach(out::println);
  }

  private SchemaText read() throws IOException {
    try {
      return SchemaText.read(Files.readString(schema));
    } catch (CharacterCodingException e) {
      throw new IOException(schema + ": the file is not UTF-8", e);
    } catch (IOException e) {
      throw new IOException(schema + ": " + FileFailure.reason(e), e);
    } catch (IllegalArgumentException e) {
      throw new IOException(schema + ", " + e.getMessage(), e);
    }
  }

  private OfflineExplain.Size size(CommandLine command) {
    long all = DEFAULT_ROWS;
    Map<String, Long> byTable = new HashMap<>();
    try {
      for (String each : rows) {
        int equals = each.lastIndexOf('=');
        long count = Long.parseLong(each.substring(equals + 1));
        if (equals < 0) {
          all = count;
        } else {
          byTable.put(each.substring(0, equals), count);
        }
      }
      if (pageSize < 0) {
        throw new IllegalArgumentException(pageSize + " rows per page: must be at least 0");
      }
      return new OfflineExplain.Size(nodes, replicas, tokens, all, byTable, rowBytes);
    } catch (NumberFormatException e) {
      throw new ParameterException(command, "--rows takes N or KEYSPACE.TABLE=N, not " + rows);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command, String.valueOf(e.getMessage()));
    }
  }
}
