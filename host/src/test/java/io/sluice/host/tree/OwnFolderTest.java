package io.sluice.host.tree;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The folder of records on a copied tree, as this user and others may have left it. */
class OwnFolderTest {
  private static final String FOLDER = "/run/sluice-host";
  private static final String LOCK = FOLDER + "/lock";
  private static final String RECORD = FOLDER + "/0001-apply";

  @TempDir private Path temp = Path.of("");

  private HostTree tree() {
    return HostTree.at(temp);
  }

  private Path path(String path) {
    return temp.resolve(path.substring(1));
  }

  private void used() throws IOException {
    tree().lock(LOCK).close();
    tree().replace(RECORD, "text\n");
  }

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void a_new_folder_and_its_files_are_for_its_user_alone() throws IOException {
    used();

    assertThat(permissions(path(FOLDER))).isEqualTo("rwx------");
    assertThat(permissions(path(RECORD))).isEqualTo("rw-------");
    assertThat(permissions(path(LOCK))).isEqualTo("rw-------");
    assertThatCode(() -> tree().checkOwn(FOLDER)).doesNotThrowAnyException();
  }

  @Test
  void a_folder_that_does_not_exist_has_nothing_to_check() throws IOException {
    tree().checkOwn(FOLDER);

    assertThat(path(FOLDER)).doesNotExist();
  }

  @Test
  void a_folder_of_another_user_is_refused() throws IOException {
    used();
    String owner = Files.getOwner(path(FOLDER)).getName();

    assertThatThrownBy(new OwnFolder(path(FOLDER), "anna")::check)
        .isInstanceOf(IOException.class)
        .hasMessage(
            "%s belongs to %s, not to anna. Only records that no other user can write are used:"
                + " run the command as anna, or look at %1$s and remove it",
            path(FOLDER), owner);
  }

  @ParameterizedTest
  @CsvSource({FOLDER + ", rwxrwx---", FOLDER + ", rwx---rwx", RECORD + ", rw-rw----"})
  void what_others_can_write_is_refused(String path, String permissions) throws IOException {
    used();
    Files.setPosixFilePermissions(path(path), PosixFilePermissions.fromString(permissions));

    assertThatThrownBy(() -> tree().checkOwn(FOLDER))
        .hasMessageStartingWith(path(path) + " can be written by other users");
    assertThatThrownBy(() -> tree().lock(LOCK)).isInstanceOf(IOException.class);
  }

  @Test
  void a_link_in_place_of_the_folder_is_refused() throws IOException {
    Path elsewhere = Files.createDirectory(temp.resolve("elsewhere"));
    Files.createDirectory(path("/run"));
    Files.createSymbolicLink(path(FOLDER), elsewhere);

    assertThatThrownBy(() -> tree().lock(LOCK)).hasMessageContaining("is no folder");

    assertThat(elsewhere).isEmptyDirectory();
  }

  @ParameterizedTest
  @CsvSource({LOCK, RECORD})
  void a_link_in_place_of_a_file_is_refused(String link) throws IOException {
    Path victim = Files.writeString(temp.resolve("victim"), "content", UTF_8);
    OwnFolder.at(path(FOLDER)).create();
    Files.createSymbolicLink(path(link), victim);

    assertThatThrownBy(() -> tree().lock(LOCK)).hasMessageContaining("is no regular file");

    assertThat(victim).hasContent("content");
  }

  @Test
  void an_unfinished_record_is_not_written_through_a_link() throws IOException {
    Path victim = Files.writeString(temp.resolve("victim"), "content", UTF_8);
    OwnFolder.at(path(FOLDER)).create();
    Files.createSymbolicLink(path(RECORD + ".new"), victim);

    assertThatThrownBy(() -> tree().replace(RECORD, "text\n")).isInstanceOf(IOException.class);

    assertThat(victim).hasContent("content");
  }
}
