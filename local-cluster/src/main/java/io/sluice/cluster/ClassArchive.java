package io.sluice.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The JVM's shared archive of Cassandra's parsed classes, which makes a start about a third faster.
 * The first cluster of a version records it while its first node stops.
 */
final class ClassArchive {
  private static final List<String> ALLOW =
      List.of(
          "-XX:+IgnoreUnrecognizedVMOptions",
          "-XX:+UnlockDiagnosticVMOptions",
          "-XX:+AllowArchivingWithJavaAgent",
          "-Xlog:disable",
          "-Xlog:all=error:stderr");

  private static final String RECORDING = "classes.jsa";
  private static final String TARGET = "classes.target";

  private final Path file;

  /** Creates an archive in the folder of the version, for this Java and these jars. */
  ClassArchive(Path folder, Path javaHome, List<Path> jars) {
    int key = Objects.hash(javaHome, Runtime.version().toString(), jars);
    this.file = folder.resolve("classes-" + Integer.toHexString(key) + ".jsa");
  }

  boolean exists() {
    return Files.exists(file);
  }

  /** Returns the arguments with which a JVM uses the archive. */
  List<String> use() {
    List<String> args = new ArrayList<>(ALLOW);
    args.add("-XX:SharedArchiveFile=" + file);
    return args;
  }

  /**
   * Returns the arguments with which a JVM writes the archive into the node's folder when it ends.
   */
  List<String> record(Path nodeDir) throws IOException {
    Files.writeString(nodeDir.resolve(TARGET), file.toString());
    List<String> args = new ArrayList<>(ALLOW);
    args.add("-XX:ArchiveClassesAtExit=" + nodeDir.resolve(RECORDING));
    return args;
  }

  /** Whether the node in that folder records an archive. */
  static boolean isRecording(Path nodeDir) {
    return Files.exists(nodeDir.resolve(TARGET));
  }

  /**
   * Stores the recording of a node that was stopped. Without a recording, a later node may record
   * one.
   *
   * @throws IOException if it cannot be stored, such as on a full disk
   */
  static void keep(Path nodeDir) throws IOException {
    Path recording = nodeDir.resolve(RECORDING);
    if (!Files.exists(recording)) {
      return;
    }
    Path target = Path.of(Files.readString(nodeDir.resolve(TARGET)));
    Path temporary =
        target.resolveSibling(target.getFileName() + "." + ProcessHandle.current().pid());
    try {
      Files.copy(recording, temporary, StandardCopyOption.REPLACE_EXISTING);
      Files.move(
          temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }
}
