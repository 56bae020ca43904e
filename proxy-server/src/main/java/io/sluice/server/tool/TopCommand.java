package io.sluice.server.tool;

import ch.qos.logback.classic.Level;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import io.dropwizard.logging.common.BootstrapLogging;
import io.sluice.server.settings.SettingsFormat;
import io.sluice.time.SystemTime;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.terminal.TerminalBuilder.SystemOutput;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code top}: shows the tables of a running proxy, as a page that refreshes. */
@Command(
    name = "top",
    description = {
      "Shows the nodes of a running proxy and its requests in flight, or the statements that took"
          + " most time, read from system_proxy.",
      "On a terminal, the page refreshes until q or Ctrl-C and is cut to the terminal's size. Its"
          + " last line shows the keys that sort, show another table or end a request. Elsewhere,"
          + " such as in a"
          + " pipe, the pages follow each other.",
      ""
    })
final class TopCommand implements Callable<Integer> {

  private static final String NODES =
      "SELECT node, state, slots, point_in_flight, point_queued, range_slots, range_in_flight,"
          + " range_queued, backlog_ms FROM system_proxy.nodes";

  private static final String SHADOW =
      "SELECT node, class, reads, now_p50_ms, now_p99_ms, estimated_p50_ms, estimated_p99_ms,"
          + " estimated_wait_p99_ms, estimated_refused FROM system_proxy.shadow";

  @Spec private @Nullable CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "HOST:PORT",
      defaultValue = ConsoleSession.DEFAULT,
      converter = ConsoleSession.Address.class,
      description = "The CQL address of the proxy (default: ${DEFAULT-VALUE}).")
  private InetSocketAddress address = InetSocketAddress.createUnresolved("", 0);

  @Option(names = "--once", description = "Print one page and exit.")
  private boolean once;

  @Option(
      names = "--interval",
      paramLabel = "SECONDS",
      defaultValue = "1",
      description = "Seconds between pages (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--requests",
      paramLabel = "N",
      defaultValue = "20",
      description = "Show N requests or statements (default: ${DEFAULT-VALUE}).")
  private int requests;

  @Option(
      names = "--statements",
      description = "Show statements since the start instead of requests.")
  private boolean statements;

  @Option(
      names = "--sort",
      paramLabel = "COLUMN",
      description =
          "Sort by this column of system_proxy: numbers from the largest, texts from A"
              + " to Z. Default: running_ms; for statements total_ms.")
  private @Nullable String sort;

  @Option(
      names = "--kill",
      paramLabel = "ID",
      description = "End the request with this ID and exit. Only operators may do this.")
  private @Nullable Long kill;

  @Mixin private LoginOptions login = new LoginOptions();

  @Override
  public Integer call() throws IOException, InterruptedException {
    BootstrapLogging.bootstrap(Level.OFF);
    CommandLine command = Objects.requireNonNull(spec).commandLine();
    PrintWriter out = command.getOut();
    TopMenu menu = new TopMenu(statements ? TopTable.STATEMENTS : TopTable.REQUESTS, sort);
    checkSort(command, menu);
    try (CqlSession session = ConsoleSession.open(address, login, "sluice top")) {
      if (kill != null) {
        boolean ended = kill(session, kill);
        out.println(outcome(kill, ended));
        return ended ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
      } else if (once) {
        page(session, menu).forEach(out::println);
        out.flush();
      } else {
        show(session, menu, out);
      }
      return CommandLine.ExitCode.OK;
    } catch (DriverException e) {
      throw new IOException(
          "Cannot use system_proxy at " + SettingsFormat.text(address) + ": " + e.getMessage(), e);
    }
  }

  private Duration interval() {
    return Duration.ofSeconds(Math.max(1, seconds));
  }

  /** Prints one page after another, until the reader closes the pipe. */
  private void pages(CqlSession session, TopMenu menu, PrintWriter out)
      throws InterruptedException {
    SystemTime time = new SystemTime();
    while (!out.checkError()) {
      page(session, menu).forEach(out::println);
      out.flush();
      time.sleep(interval());
    }
  }

  private void show(CqlSession session, TopMenu menu, PrintWriter out)
      throws IOException, InterruptedException {
    try (Terminal terminal =
        TerminalBuilder.builder().systemOutput(SystemOutput.SysOut).dumb(true).build()) {
      if (terminal.getType().startsWith(Terminal.TYPE_DUMB)) {
        pages(session, menu, out);
      } else {
        new TopScreen(terminal, source(session), menu, new SystemTime()).run(interval());
      }
    }
  }

  private TopScreen.Source source(CqlSession session) {
    return new TopScreen.Source() {
      @Override
      public List<String> page(TopMenu shown) {
        return TopCommand.this.page(session, shown);
      }

      @Override
      public String kill(long id) {
        return outcome(id, TopCommand.kill(session, id));
      }
    };
  }

  private void checkSort(CommandLine command, TopMenu menu) {
    try {
      menu.select(requests);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command, String.valueOf(e.getMessage()));
    }
  }

  /** Ends a request. Returns whether it was in flight. */
  private static boolean kill(CqlSession session, long id) {
    boolean inFlight =
        session.execute("SELECT id FROM system_proxy.requests WHERE id = " + id).one() != null;
    session.execute("DELETE FROM system_proxy.requests WHERE id = " + id);
    return inFlight;
  }

  private static String outcome(long id, boolean ended) {
    return "Request " + id + (ended ? " was ended" : " is not in flight");
  }

  private List<String> page(CqlSession session, TopMenu menu) {
    List<String> page = new ArrayList<>();
    page.add(
        "Sluice at "
            + SettingsFormat.text(address)
            + ": "
            + count(session, "clients")
            + " clients, "
            + count(session, "requests")
            + " requests in flight");
    page.add("");
    page.addAll(table(session, NODES).lines());
    page.add("");
    TextTable shadow = table(session, SHADOW);
    if (!shadow.isEmpty()) {
      page.add(
          "Mode observe, the last minute: times at nodes now, and estimated times with Sluice");
      page.addAll(shadow.lines());
      page.add("");
    }
    page.addAll(table(session, menu.select(requests)).lines());
    return page;
  }

  private static long count(CqlSession session, String table) {
    Row row = session.execute("SELECT count(*) FROM system_proxy." + table).one();
    return row == null ? 0 : row.getLong(0);
  }

  private static TextTable table(CqlSession session, String cql) {
    ResultSet rows = session.execute(cql);
    List<String> columns = new ArrayList<>();
    rows.getColumnDefinitions()
        .forEach(column -> columns.add(column.getName().asInternal().replace('_', ' ')));
    List<List<Object>> cells = new ArrayList<>();
    for (Row row : rows) {
      List<Object> line = new ArrayList<>();
      for (int i = 0; i < columns.size(); i++) {
        Object cell = row.getObject(i);
        line.add(cell == null ? "" : cell);
      }
      cells.add(line);
    }
    return new TextTable(columns, cells);
  }
}
