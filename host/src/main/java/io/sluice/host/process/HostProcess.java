package io.sluice.host.process;

import java.util.List;
import java.util.Optional;

/**
 * A process.
 *
 * @param pid its id
 * @param name its name in the kernel
 * @param arguments its command line
 */
public record HostProcess(long pid, String name, List<String> arguments) {
  private static final String CASSANDRA = "org.apache.cassandra.service.CassandraDaemon";

  public HostProcess {
    arguments = List.copyOf(arguments);
  }

  /** Whether it is a Cassandra node. */
  public boolean isCassandra() {
    return arguments.contains(CASSANDRA);
  }

  /** Returns the rest of the last argument with that beginning. */
  public Optional<String> option(String beginning) {
    return arguments.stream()
        .filter(argument -> argument.startsWith(beginning))
        .reduce((first, last) -> last)
        .map(argument -> argument.substring(beginning.length()));
  }

  /** Returns a short name for people. */
  public String title() {
    return (isCassandra() ? "Cassandra" : name) + " " + pid;
  }
}
