package io.sluice.host;

import io.sluice.host.plan.Plan;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;

/** The command {@code host plan}. */
@Command(
    name = "plan",
    description =
        "Shows each setting with its value, the recommended one, the reason, and the source of the"
            + " advice. Changes nothing.",
    mixinStandardHelpOptions = true)
final class PlanCommand implements Callable<Integer> {
  @CommandLine.Spec private CommandSpec command = CommandSpec.create();
  @Mixin private Place place = new Place();
  @Mixin private Choices choices = new Choices();

  @Override
  public Integer call() throws IOException {
    PrintWriter out = command.commandLine().getOut();
    PlanText.print(Plan.of(place.tree(), choices.options()), out);
    out.println("Nothing was changed. 'sluice host apply' makes these changes, as root.");
    return 0;
  }
}
