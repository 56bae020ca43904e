package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FileLoopsTest {

  @Test
  void files_that_lead_back_to_themselves_are_a_loop() {
    Map<String, String> files =
        Map.of(
            "A", "class A { B b; }",
            "B", "class B { C c; D d; }",
            "C", "class C { A a; }",
            "D", "class D { int c; }");

    assertThat(FileLoops.among(files)).containsExactly(Set.of("A", "B", "C"));
  }

  @Test
  void loops_without_a_common_file_are_separate() {
    Map<String, String> files =
        Map.of(
            "A", "class A { B b; }",
            "B", "class B { A a; C c; }",
            "C", "class C { D d; }",
            "D", "class D { C c; }");

    assertThat(FileLoops.among(files)).containsExactly(Set.of("A", "B"), Set.of("C", "D"));
  }

  @Test
  void a_file_that_names_itself_is_not_a_loop() {
    assertThat(FileLoops.among(Map.of("A", "class A { A next; }"))).isEmpty();
  }

  @Test
  void comments_and_strings_name_nothing() {
    String other =
        """
        /** Used by {@link A}. */
        class B {
          char quote = '"'; // of A
          String text = "A \\" A";
        }
        """;

    assertThat(FileLoops.among(Map.of("A", "class A { B b; }", "B", other))).isEmpty();
  }

  @Test
  void a_type_that_is_imported_from_elsewhere_is_another() {
    Map<String, String> files =
        Map.of("A", "class A { B b; }", "B", "import java.util.A; class B { A a; }");

    assertThat(FileLoops.among(files)).isEmpty();
  }

  @Test
  void a_nested_type_belongs_to_the_file_around_it() {
    Map<String, String> files =
        Map.of("A", "class A { B b; }", "B", "import io.sluice.A.Inner; class B { Inner a; }");

    assertThat(FileLoops.among(files)).containsExactly(Set.of("A", "B"));
  }
}
