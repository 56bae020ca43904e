package io.sluice.server.tool;

import ch.qos.logback.classic.Level;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import io.dropwizard.logging.common.BootstrapLogging;
import io.sluice.server.settings.SettingsFormat;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code reload}: makes a running proxy read its configuration file again. */
@Command(
    name = "reload",
    description = {
      "Makes a running proxy read its configuration file again, and prints what has changed and"
          + " what needs a restart. A file with faults changes nothing: the faults are printed,"
          + " and the exit code is 1. Only operators may reload.",
      ""
    })
final class ReloadCommand implements Callable<Integer> {

  @Spec private @Nullable CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "HOST:PORT",
      defaultValue = ConsoleSession.DEFAULT,
      converter = ConsoleSession.Address.class,
      description = "The CQL address of the proxy (default: ${DEFAULT-VALUE}).")
  private InetSocketAddress address = InetSocketAddress.createUnresolved("", 0);

  @Mixin private LoginOptions login = new LoginOptions();

  @Override
  public Integer call() throws IOException {
    BootstrapLogging.bootstrap(Level.OFF);
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    try (CqlSession session = ConsoleSession.open(address, login, "sluice reload")) {
      Row file = session.execute("SELECT file FROM system_proxy.configuration").one();
      if (file == null) {
        throw new IOException(
            "The proxy at " + SettingsFormat.text(address) + " has no configuration file");
      }
      session.execute(
          "UPDATE system_proxy.configuration SET state = 'reload' WHERE file = ?",
          file.getString("file"));
      Row now =
          Objects.requireNonNull(session.execute("SELECT * FROM system_proxy.configuration").one());
      String changed = now.getString("changed");
      String pending = now.getString("pending");
      out.println(now.getString("file") + " was read by " + SettingsFormat.text(address));
      out.println("  changed        " + (isEmpty(changed) ? "nothing" : changed));
      if (!isEmpty(pending)) {
        out.println("  needs a restart  " + pending);
      }
      out.flush();
      return 0;
    } catch (InvalidQueryException e) {
      throw new IOException(
          "The reload was refused, and no setting has changed: " + e.getMessage(), e);
    } catch (DriverException e) {
      throw new IOException(
          "Cannot use system_proxy at " + SettingsFormat.text(address) + ": " + e.getMessage(), e);
    }
  }

  private static boolean isEmpty(@Nullable String text) {
    return text == null || text.isEmpty();
  }
}
