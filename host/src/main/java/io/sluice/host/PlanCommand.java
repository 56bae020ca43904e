package io.sluice.host;

import io.sluice.host.plan.Plan;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;

/** {@code host plan}. */
@Command(
    name = "plan",
    description =
        "Says for each setting its value, the one it should have, why, and the source of that"
            + " advice; changes nothing.",
    mixinStandardHelpOptions = true)
final class PlanCommand implements Callable<Integer> {
  @CommandLine.Spec private CommandSpec command = CommandSpec.create();
  @Mixin private Place place = new Place();
  @Mixin private Choices choices = new Choices();

  @Override
  public Integer call() throws IOException {
    PrintWriter out = command.commandLine().getOut();
    PlanText.print(Plan.of(place.tree(), choices.options()), out);
    out.println("Nothing was changed. 'sluice host apply' changes it, as root.");
    return 0;
  }
}
