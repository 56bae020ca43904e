package io.sluice.agent;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class ArchitectureTest {
  private static final JavaClasses AGENT =
      new ClassFileImporter().importPath(Path.of("target", "classes"));

  /** Room -> what it may know besides itself and the JDK. */
  private static final Map<String, List<String>> MAY_KNOW =
      Map.of(
          "io.sluice.agent.queue", List.of(),
          "io.sluice.agent.hint", List.of(),
          "io.sluice.agent.classify", List.of("io.sluice.agent.queue", "io.sluice.agent.hint"),
          "io.sluice.agent.hook",
              List.of(
                  "io.sluice.agent.queue",
                  "io.sluice.agent.hint",
                  "io.sluice.agent.classify",
                  "net.bytebuddy.."),
          "io.sluice.agent", List.of("io.sluice.agent.hook", "net.bytebuddy.."));

  @TestFactory
  Stream<DynamicTest> each_room_knows_only_its_allowed_rooms() {
    return MAY_KNOW.entrySet().stream()
        .map(
            room ->
                DynamicTest.dynamicTest(
                    room.getKey(),
                    () ->
                        classes()
                            .that()
                            .resideInAPackage(room.getKey())
                            .should()
                            .onlyDependOnClassesThat()
                            .resideInAnyPackage(allowed(room.getKey(), room.getValue()))
                            .check(AGENT)));
  }

  @Test
  void every_package_is_in_the_table() {
    assertThat(AGENT.stream().map(JavaClass::getPackageName).distinct())
        .allMatch(MAY_KNOW::containsKey);
  }

  @Test
  void rooms_are_free_of_cycles() {
    slices().matching("io.sluice.(**)").should().beFreeOfCycles().check(AGENT);
  }

  /** A class of it that is loaded too early could not be changed any more. */
  @Test
  void nobody_links_to_a_class_of_cassandra() {
    noClasses().should().dependOnClassesThat().resideInAPackage("org.apache..").check(AGENT);
  }

  @Test
  void the_clock_is_read_by_those_who_were_given_it() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.sluice.agent.hook")
        .should()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .check(AGENT);
  }

  private static String[] allowed(String room, List<String> others) {
    Stream<String> always =
        Stream.of(
            room, "java..", "javax.management..", "org.jspecify..", "com.google.errorprone..");
    return Stream.concat(always, others.stream()).toArray(String[]::new);
  }
}
