package io.sluice.host;

import io.sluice.host.change.Changes;
import io.sluice.host.change.Ledger.Entry;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;

/** The command {@code host undo}. */
@Command(
    name = "undo",
    description = "Restores all settings that 'sluice host' has changed, even if it was killed.",
    mixinStandardHelpOptions = true)
final class UndoCommand implements Callable<Integer> {
  @CommandLine.Spec private CommandSpec command = CommandSpec.create();
  @Mixin private Place place = new Place();

  @Override
  public Integer call() throws IOException {
    PrintWriter out = command.commandLine().getOut();
    try (Changes changes = Changes.begin(place.tree(), out::println)) {
      List<String> reasons = changes.undo(List.of(Entry.Kind.values()));
      out.println(
          reasons.isEmpty() ? "everything is as before" : "some settings are not as before");
      return reasons.isEmpty() ? 0 : 1;
    }
  }
}
