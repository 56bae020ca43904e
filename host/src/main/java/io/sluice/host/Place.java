package io.sluice.host;

import io.sluice.host.tree.HostTree;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option for the root of what is read and written. */
final class Place {
  @Option(
      names = "--root",
      paramLabel = "DIR",
      description = "a copied tree with proc, sys and run, in place of this machine's (default: /)")
  private Path root = Path.of("/");

  HostTree tree() {
    return HostTree.at(root);
  }
}
