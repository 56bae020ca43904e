package io.sluice.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.SpawnedCommand;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The jars of a version, with a shell script instead of Maven. */
@Timeout(120)
@DisabledOnOs(OS.WINDOWS)
class CassandraJarsTest {
  @TempDir private Path temp = Path.of("");

  private final List<String> progress = new ArrayList<>();

  /** Prints the jars of version 5.0.9. Runs as a process whose only program is the script. */
  static final class Main {
    private Main() {}

    /** Prints the progress and the result, or the failure. */
    public static void main(String[] args) {
      try {
        System.out.println(
            new CassandraJars("5.0.9", Path.of(args[0])).resolve(System.out::println));
      } catch (ClusterFailure e) {
        System.out.println("failed: " + e.getMessage());
      }
    }
  }

  private Path folder() throws IOException {
    return Files.createDirectories(temp.resolve("cache").resolve("cassandra-5.0.9"));
  }

  private Path jar(String name) throws IOException {
    return Files.writeString(temp.resolve(name), "");
  }

  private List<Path> resolve() {
    return new CassandraJars("5.0.9", temp.resolve("cache")).resolve(progress::add);
  }

  /**
   * Returns the output lines of {@link Main}, with a program {@code mvn} with this body on its
   * path.
   */
  private List<String> resolveWith(String maven) throws Exception {
    Path bin = Files.createDirectories(temp.resolve("bin"));
    if (!maven.isEmpty()) {
      Path script = Files.writeString(bin.resolve("mvn"), "#!/bin/sh\n" + maven + "\n");
      Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    ProcessBuilder builder = SpawnedCommand.builder(Main.class, temp.resolve("cache").toString());
    builder.environment().put("PATH", bin + ":/usr/bin:/bin");
    if (maven.isEmpty()) {
      builder.environment().put("PATH", bin.toString());
    }
    return SpawnedCommand.finish(temp, builder).out().lines().toList();
  }

  /** Returns a script that writes {@code jars} to the file that Maven's arguments name. */
  private static String writing(String jars) {
    return "for a; do case $a in -Dmdep.outputFile=*) printf '" + jars + "' > ${a#*=};; esac; done";
  }

  @Test
  void a_cached_list_is_used_without_maven() throws IOException {
    Path a = jar("a.jar");
    Path b = jar("b.jar");
    Files.writeString(folder().resolve("classpath.txt"), a + File.pathSeparator + b + "\n");

    assertThat(resolve()).containsExactly(a, b);
    assertThat(progress).isEmpty();
  }

  @Test
  void jars_are_first_resolved_offline() throws Exception {
    Path jar = jar("a.jar");

    List<String> said =
        resolveWith("case \"$*\" in *' -o '*) ;; *) exit 1;; esac; " + writing(jar.toString()));

    assertThat(said).containsExactly("[" + jar + "]");
    assertThat(Files.readString(folder().resolve("pom.xml"))).contains("<version>5.0.9</version>");
    assertThat(resolve()).containsExactly(jar);
  }

  @Test
  void missing_jars_are_fetched_with_a_message() throws Exception {
    Path jar = jar("a.jar");

    List<String> said =
        resolveWith("case \"$*\" in *' -o '*) exit 1;; esac; " + writing(jar.toString()));

    assertThat(said).containsExactly("fetching Cassandra 5.0.9 (once)", "[" + jar + "]");
  }

  @Test
  void a_failed_fetch_is_reported_with_mavens_first_lines() throws Exception {
    List<String> said = resolveWith("for i in 1 2 3 4 5 6 7 8; do echo reason $i; done; exit 1");

    assertThat(said)
        .startsWith(
            "fetching Cassandra 5.0.9 (once)",
            "failed: Maven could not fetch Cassandra 5.0.9:",
            "reason 1")
        .contains("reason 6")
        .doesNotContain("reason 7");
    assertThat(folder().resolve("classpath.txt")).doesNotExist();
    assertThat(folder().toFile().list()).containsExactly("pom.xml");
  }

  @Test
  void without_maven_the_failure_says_why_it_is_needed() throws Exception {
    assertThat(resolveWith(""))
        .containsExactly("failed: cannot run mvn, which finds Cassandra's jars; is it installed?");
  }

  @Test
  void a_list_with_a_missing_jar_is_resolved_again() throws Exception {
    Files.writeString(folder().resolve("classpath.txt"), temp.resolve("gone.jar").toString());
    Path jar = jar("new.jar");

    assertThat(resolveWith(writing(jar.toString()))).containsExactly("[" + jar + "]");
  }

  @Test
  void each_version_has_a_folder_in_the_cache() {
    assertThat(new CassandraJars("4.1.0", temp).folder())
        .isEqualTo(temp.resolve("cassandra-4.1.0"));
  }
}
