package io.sluice.cluster;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the published jars of a Cassandra version, with the dependency versions of its own POM, and
 * caches their paths in a folder.
 */
final class CassandraJars {
  private static final String POM =
      """
      <project xmlns="http://maven.apache.org/POM/4.0.0">
        <modelVersion>4.0.0</modelVersion>
        <groupId>io.sluice.local</groupId>
        <artifactId>cassandra</artifactId>
        <version>1</version>
        <packaging>pom</packaging>
        <dependencies>
          <dependency>
            <groupId>org.apache.cassandra</groupId>
            <artifactId>cassandra-all</artifactId>
            <version>%s</version>
          </dependency>
        </dependencies>
      </project>
      """;
  private static final String GOAL =
      "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath";

  private final String version;
  private final Path folder;

  CassandraJars(String version, Path cache) {
    this.version = version;
    this.folder = cache.resolve("cassandra-" + version);
  }

  /**
   * Returns the cache folder: {@code $SLUICE_CACHE}, or {@code .cache/sluice} in the home
   * directory.
   */
  static Path defaultCache() {
    String chosen = System.getenv("SLUICE_CACHE");
    return chosen == null || chosen.isBlank()
        ? Path.of(System.getProperty("user.home"), ".cache", "sluice")
        : Path.of(chosen).toAbsolutePath();
  }

  /** Returns the folder for files of this version that are kept between runs. */
  Path folder() {
    return folder;
  }

  /** Returns the jars. The first call for a version asks Maven, first offline, then online. */
  List<Path> resolve(Consumer<String> progress) {
    try {
      List<Path> known = read(folder.resolve("classpath.txt"));
      return known.isEmpty() ? resolveByMaven(progress) : known;
    } catch (IOException e) {
      throw new ClusterFailure("cannot keep the list of Cassandra's jars in " + folder, e);
    }
  }

  private List<Path> resolveByMaven(Consumer<String> progress) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("pom.xml"), POM.formatted(version));
    Path list = Files.createTempFile(folder, "classpath", ".tmp");
    try {
      if (maven(list, true) != null) {
        progress.accept("fetching Cassandra " + version + " (once)");
        String output = maven(list, false);
        if (output != null) {
          throw new ClusterFailure("Maven could not fetch Cassandra " + version + ":\n" + output);
        }
      }
      Files.move(list, folder.resolve("classpath.txt"), StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(list);
    }
    return read(folder.resolve("classpath.txt"));
  }

  /** Runs Maven. Returns null on success, otherwise the first lines of its output. */
  private @Nullable String maven(Path list, boolean offline) throws IOException {
    List<String> command = new ArrayList<>(List.of("mvn", "-q", "-B", "-Dstyle.color=never"));
    if (offline) {
      command.add("-o");
    }
    String repository =
        System.getProperty("maven.repo.local", System.getProperty("localRepository", ""));
    if (!repository.isBlank()) {
      command.add("-Dmaven.repo.local=" + repository);
    }
    command.addAll(List.of(GOAL, "-Dmdep.outputFile=" + list));
    Process process = start(command);
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      return process.waitFor() == 0
          ? null
          : output.lines().limit(6).reduce("", (a, b) -> a + b + "\n");
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      throw new ClusterFailure("interrupted while Maven looked for Cassandra " + version, e);
    }
  }

  private Process start(List<String> command) {
    try {
      return new ProcessBuilder(command)
          .directory(folder.toFile())
          .redirectErrorStream(true)
          .start();
    } catch (IOException e) {
      throw new ClusterFailure("cannot run mvn, which finds Cassandra's jars; is it installed?", e);
    }
  }

  /** Returns the list in the file; an empty list if the file or one of its jars is missing. */
  private static List<Path> read(Path file) throws IOException {
    if (!Files.exists(file)) {
      return List.of();
    }
    List<Path> jars =
        Arrays.stream(Files.readString(file).strip().split(File.pathSeparator))
            .filter(s -> !s.isBlank())
            .map(Path::of)
            .toList();
    return jars.stream().allMatch(Files::exists) ? jars : List.of();
  }
}
