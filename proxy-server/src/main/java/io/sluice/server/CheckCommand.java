package io.sluice.server;

import io.sluice.server.settings.ConfigurationFile;
import io.sluice.server.settings.InvalidSettings;
import io.sluice.server.settings.Settings;
import io.sluice.server.settings.Summary;
import io.sluice.watch.ClusterProbe;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code check config.yml}: prints every fault at once, or a summary of the configuration. */
@Command(
    name = "check",
    description = {
      "Reads a configuration as `server` would. Prints OK and a summary, or every fault with its"
          + " key, its value and what to write instead. With faults, the exit code is 1.",
      ""
    })
final class CheckCommand implements Callable<Integer> {

  @Spec private @Nullable CommandSpec spec;
  @Mixin private ConfigurationFile file = new ConfigurationFile();

  @ArgGroup private Extent extent = new Extent();

  /** What is checked besides the file, or is not. */
  private static final class Extent {

    @Option(
        names = "--connect",
        description =
            "Also connect to the contact points: check the cluster, data centre and credentials.")
    private boolean connect;

    @Option(
        names = "--file-only",
        description =
            "Check only the file and the certificates and secrets that it names, as a reload does:"
                + " no lookup of host names, no log folders.")
    private boolean fileOnly;
  }

  @Override
  public Integer call() throws IOException, InvalidSettings {
    Settings settings = extent.fileOnly ? file.checkFileOnly() : file.check();
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    if (extent.connect) {
      ClusterProbe.Found found = new ClusterProbe(settings.proxyConfig().cluster()).look();
      printSummary(out, settings);
      out.print(Summary.of(found));
    } else {
      printSummary(out, settings);
    }
    out.flush();
    return 0;
  }

  private void printSummary(PrintWriter out, Settings settings) {
    out.println("OK  " + file.path());
    out.print(Summary.of(settings));
  }
}
