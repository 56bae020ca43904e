package io.sluice.server.tool;

import java.util.List;

/** The commands of operators beside the running proxy. Stateless. */
public final class Tools {

  private Tools() {}

  /** Returns new commands for picocli, in the order of the help. */
  public static List<Object> commands() {
    return List.of(
        new TopCommand(),
        new ReloadCommand(),
        new ExplainCommand(),
        new AdviseCommand(),
        new FleetCommand());
  }
}
