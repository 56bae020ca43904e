package io.sluice.host;

import io.sluice.host.tree.HostTree;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option for the root of all files. */
final class Place {
  @Option(
      names = "--root",
      paramLabel = "DIR",
      description = "copied tree with proc, sys and run, instead of this host (default: /)")
  private Path root = Path.of("/");

  HostTree tree() {
    return HostTree.at(root);
  }
}
