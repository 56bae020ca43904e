package io.sluice.host;

import io.sluice.host.change.Changes;
import io.sluice.host.change.Ledger.Entry;
import io.sluice.host.plan.Plan;
import io.sluice.host.tree.HostTree;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;

/** The command {@code host apply}. */
@Command(
    name = "apply",
    description =
        "Makes the changes of 'plan' with the same options. Records each old value first; 'undo'"
            + " restores them.",
    mixinStandardHelpOptions = true)
final class ApplyCommand implements Callable<Integer> {
  @CommandLine.Spec private CommandSpec command = CommandSpec.create();
  @Mixin private Place place = new Place();
  @Mixin private Choices choices = new Choices();

  @Override
  public Integer call() throws IOException {
    PrintWriter out = command.commandLine().getOut();
    HostTree tree = place.tree();
    try (Changes changes = Changes.begin(tree, out::println)) {
      Map<String, String> wanted = Plan.of(tree, choices.options()).changes();
      if (wanted.isEmpty()) {
        out.println("nothing to change");
        return 0;
      }
      List<String> refused = changes.apply(Entry.Kind.APPLY, wanted);
      out.println(wanted.size() - refused.size() + " changed; 'sluice host undo' sets them back");
      return refused.isEmpty() ? 0 : 1;
    }
  }
}
