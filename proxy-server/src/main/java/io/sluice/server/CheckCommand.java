package io.sluice.server;

import io.sluice.watch.ClusterProbe;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code check config.yml}: every fault at once, or what the file comes to. */
@Command(
    name = "check",
    description = {
      "Reads a configuration as `server` would. Prints OK and a summary, or every fault with its"
          + " key, its value and what to write instead; exits with 1 then.",
      ""
    })
final class CheckCommand implements Callable<Integer> {

  @Spec private @Nullable CommandSpec spec;
  @Mixin private ConfigurationFile file = new ConfigurationFile();

  @Option(
      names = "--connect",
      description = "Also connect to the contact points: cluster, nodes, data centre, credentials.")
  private boolean connect;

  @Override
  public Integer call() throws IOException, InvalidSettings {
    Settings settings = file.check();
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    if (connect) {
      ClusterProbe.Found found = new ClusterProbe(settings.cluster().config()).look();
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
