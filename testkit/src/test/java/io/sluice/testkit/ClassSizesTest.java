package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.testkit.ClassSizes.Size;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClassSizesTest {
  @TempDir private Path project;

  private void file(String path, String text) throws IOException {
    Path file = project.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private void type(String text) throws IOException {
    file("one/src/main/java/a/A.java", "package a;\n" + text);
  }

  @Test
  void instance_fields_and_methods_are_counted_private_and_static_methods_too() throws IOException {
    type(
        """
        class A {
          static final int MAX = 1;
          static int count;
          private final Runnable task = () -> {};
          private int from, to;
          static { count = 1; }
          A() {}
          A(int from) { this.from = from; }
          public int from() { return from; }
          private void add() { Runnable more = () -> task.run(); }
          static void none() {}
        }
        """);

    assertThat(ClassSizes.in(project)).containsExactly(new Size("a.A", 3, 3));
  }

  @Test
  void a_class_whose_fields_are_final_is_not_stateful() throws IOException {
    type("class A { static int b; final int[] c = {1}; void d() {} }");

    assertThat(ClassSizes.in(project)).isEmpty();
  }

  @Test
  void records_enums_and_interfaces_are_not_stateful() throws IOException {
    type("record A(int b) { static int c; }");
    file("one/src/main/java/a/B.java", "package a; enum B { C; int d; }");
    file("one/src/main/java/a/C.java", "package a; interface C { int D = 1; int e(); }");

    assertThat(ClassSizes.in(project)).isEmpty();
  }

  @Test
  void commands_and_options_of_picocli_are_not_counted() throws IOException {
    type("@Command(name = \"a\") class A { int b; }");
    file("one/src/main/java/a/B.java", "package a; class B { @CommandLine.Option int c; int d; }");
    file("one/src/main/java/a/C.java", "package a; class C { @Nullable String d; }");

    assertThat(ClassSizes.in(project)).containsExactly(new Size("a.C", 1, 0));
  }

  @Test
  void a_nested_class_is_counted_by_itself() throws IOException {
    type(
        """
        class A {
          int b;
          static final class B { int c; int d; void e() {} }
          record C(int f) { class D { int g; } }
        }
        """);

    assertThat(ClassSizes.in(project))
        .containsExactlyInAnyOrder(
            new Size("a.A", 1, 0), new Size("a.A.B", 2, 1), new Size("a.A.C.D", 1, 0));
  }

  @Test
  void all_modules_are_read_but_no_tests() throws IOException {
    file("two/src/main/java/b/c/C.java", "package b.c; class C { int d; }");
    file("two/src/test/java/b/c/CTest.java", "package b.c; class CTest { int d; }");
    file("one/src/main/java/a/package-info.java", "/** Of a. */ package a;\n");
    type("class A { int b; }");

    assertThat(ClassSizes.in(project))
        .containsExactly(new Size("a.A", 1, 0), new Size("b.c.C", 1, 0));
  }

  @Test
  void a_project_without_sources_has_no_classes() throws IOException {
    assertThat(ClassSizes.in(project)).isEmpty();
  }

  @Test
  void a_source_that_cannot_be_parsed_is_an_error() throws IOException {
    type("class A { int b");

    assertThatThrownBy(() -> ClassSizes.in(project)).hasMessageContaining("A.java");
  }
}
