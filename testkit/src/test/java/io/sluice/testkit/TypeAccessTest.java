package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TypeAccessTest {
  @TempDir private Path project;

  private void file(String path, String text) throws IOException {
    Path file = project.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  @Test
  void the_public_types_of_all_modules_are_named() throws IOException {
    file("one/src/main/java/a/A.java", "package a;\n\n@Marked\npublic final class A {}\n");
    file("one/src/main/java/a/B.java", "package a;\n\nrecord B(int of) {}\n");
    file("two/src/main/java/b/c/C.java", "package b.c;\n\npublic sealed interface C {}\n");

    TypeAccess types = TypeAccess.in(project);

    assertThat(types.all()).isEqualTo(3);
    assertThat(types.open()).containsExactly("a.A", "b.c.C");
    assertThat(types.packagePrivate()).isEqualTo(1 / 3.0, within(1e-9));
  }

  @Test
  void a_nested_type_and_a_name_in_a_comment_do_not_count() throws IOException {
    file(
        "one/src/main/java/a/A.java",
        "package a;\n\n/** As {@code public class A}. */\nclass A {\n  public record B() {}\n}\n");

    assertThat(TypeAccess.in(project).open()).isEmpty();
  }

  @Test
  void tests_and_comments_on_packages_are_no_types_of_the_main_code() throws IOException {
    file("one/src/main/java/a/package-info.java", "package a;\n");
    file("one/src/test/java/a/ATest.java", "package a;\n\npublic class ATest {}\n");

    assertThat(TypeAccess.in(project).all()).isZero();
    assertThat(TypeAccess.in(project).packagePrivate()).isEqualTo(1);
  }
}
