package io.sluice.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The archive of parsed classes, recorded once by a node and kept for this Java and these jars. */
class ClassArchiveTest {
  private static final Path HOME = Path.of("/java");
  private static final List<Path> JARS = List.of(Path.of("/a.jar"));

  @TempDir private Path temp = Path.of("");

  private ClassArchive archive(Path home, List<Path> jars) throws IOException {
    return new ClassArchive(Files.createDirectories(temp.resolve("version")), home, jars);
  }

  private Path node() throws IOException {
    return Files.createDirectories(temp.resolve("node1"));
  }

  private static String last(List<String> arguments) {
    return arguments.get(arguments.size() - 1);
  }

  @Test
  void without_a_recording_there_is_no_archive() throws IOException {
    assertThat(archive(HOME, JARS).exists()).isFalse();
    assertThat(ClassArchive.isRecording(node())).isFalse();
  }

  @Test
  void a_node_that_records_writes_into_its_own_folder() throws IOException {
    List<String> arguments = archive(HOME, JARS).record(node());

    assertThat(last(arguments))
        .isEqualTo("-XX:ArchiveClassesAtExit=" + node().resolve("classes.jsa"));
    assertThat(ClassArchive.isRecording(node())).isTrue();
  }

  @Test
  void the_recording_of_a_node_is_the_archive_of_the_next_one() throws IOException {
    ClassArchive archive = archive(HOME, JARS);
    archive.record(node());
    Files.writeString(node().resolve("classes.jsa"), "classes");

    ClassArchive.keep(node());

    assertThat(archive.exists()).isTrue();
    String used = last(archive.use());
    assertThat(used).startsWith("-XX:SharedArchiveFile=" + temp.resolve("version"));
    assertThat(Path.of(used.substring(used.indexOf('=') + 1))).hasContent("classes");
    assertThat(temp.resolve("version").toFile().list()).hasSize(1);
  }

  @Test
  void after_a_killed_node_without_a_recording_the_next_one_may_record() throws IOException {
    ClassArchive archive = archive(HOME, JARS);
    archive.record(node());

    assertThatCode(() -> ClassArchive.keep(node())).doesNotThrowAnyException();

    assertThat(archive.exists()).isFalse();
  }

  @Test
  void another_java_or_other_jars_have_an_archive_of_their_own() throws IOException {
    ClassArchive archive = archive(HOME, JARS);

    assertThat(last(archive(Path.of("/other"), JARS).use())).isNotEqualTo(last(archive.use()));
    assertThat(last(archive(HOME, List.of()).use())).isNotEqualTo(last(archive.use()));
    assertThat(last(archive(HOME, JARS).use())).isEqualTo(last(archive.use()));
  }

  @Test
  void an_archive_that_cannot_be_stored_is_an_error() throws IOException {
    archive(HOME, JARS).record(node());
    Files.writeString(node().resolve("classes.jsa"), "classes");
    Files.delete(temp.resolve("version"));

    assertThatThrownBy(() -> ClassArchive.keep(node()))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("version");
  }

  /** A JVM that cannot use an archive must start all the same. */
  @Test
  void a_jvm_starts_without_the_archive_too() throws IOException {
    assertThat(archive(HOME, JARS).use())
        .contains("-XX:+IgnoreUnrecognizedVMOptions", "-Xlog:disable")
        .doesNotContain("-Xshare:on");
  }
}
