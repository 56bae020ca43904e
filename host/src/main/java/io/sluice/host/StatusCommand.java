package io.sluice.host;

import io.sluice.host.change.Change;
import io.sluice.host.change.Ledger;
import io.sluice.host.change.Ledger.Entry;
import io.sluice.host.tree.HostTree;
import io.sluice.host.tree.KernelValue;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;

/** The command {@code host status}. */
@Command(
    name = "status",
    description = "Shows the changes that are not undone, and the present value of each.",
    mixinStandardHelpOptions = true)
final class StatusCommand implements Callable<Integer> {
  private static final String NONE = "(none)";

  @CommandLine.Spec private CommandSpec command = CommandSpec.create();
  @Mixin private Place place = new Place();

  @Override
  public Integer call() throws IOException {
    PrintWriter out = command.commandLine().getOut();
    HostTree tree = place.tree();
    List<Entry> entries = new Ledger(tree).entries();
    if (entries.isEmpty()) {
      out.println("nothing is changed");
    }
    for (Entry entry : entries) {
      out.println(entry.kind().name().toLowerCase(Locale.ROOT) + ":");
      for (Change change : entry.changes()) {
        if (change.after() != null) {
          String now = tree.read(change.path()).map(KernelValue::of).orElse(NONE);
          out.println("  " + change.path() + ": " + describe(change, now));
        }
      }
    }
    return 0;
  }

  private static String describe(Change change, String now) {
    String before = change.before() == null ? NONE : change.before();
    if (now.equals(change.after())) {
      return now + ", was " + before;
    }
    return now.equals(before)
        ? now + ", not changed"
        : now + ", set to " + change.after() + ", was " + before;
  }
}
