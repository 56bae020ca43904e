package io.sluice.host;

import io.sluice.host.plan.Fragments;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;

/** The command {@code host export}. */
@Command(
    name = "export",
    description =
        "Prints the plan with the same options as files of sysctl.d, udev, tmpfiles.d and"
            + " systemd. Changes nothing.",
    mixinStandardHelpOptions = true)
final class ExportCommand implements Callable<Integer> {
  @CommandLine.Spec private CommandSpec command = CommandSpec.create();
  @Mixin private Place place = new Place();
  @Mixin private Choices choices = new Choices();

  @Override
  public Integer call() throws IOException {
    PrintWriter out = command.commandLine().getOut();
    Map<String, List<String>> files = Fragments.of(place.tree(), choices.options()).files();
    for (Map.Entry<String, List<String>> file : files.entrySet()) {
      if (!file.getValue().isEmpty()) {
        out.println("# " + file.getKey());
        file.getValue().forEach(out::println);
        out.println();
      }
    }
    return 0;
  }
}
