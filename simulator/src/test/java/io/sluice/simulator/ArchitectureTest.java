package io.sluice.simulator;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The dependencies between the simulator's rooms, and the parts of the proxy it may see. */
class ArchitectureTest {
  private static final JavaClasses SIMULATOR =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.sluice.simulator");

  private static final Map<String, List<String>> MAY_KNOW =
      Map.of(
          "io.sluice.simulator.event", List.of("io.sluice.time"),
          "io.sluice.simulator.fig5",
              List.of(
                  "io.sluice.simulator.event",
                  "io.sluice.decide",
                  "io.sluice.decide.schedule",
                  "io.sluice.ring",
                  "io.sluice.time"),
          "io.sluice.simulator.cluster",
              List.of(
                  "io.sluice.simulator.event",
                  "io.sluice.decide..",
                  "io.sluice.ring",
                  "io.sluice.time",
                  "org.HdrHistogram"),
          "io.sluice.simulator.report", List.of("org.knowm.xchart..", "com.fasterxml.jackson.."),
          "io.sluice.simulator",
              List.of(
                  "io.sluice.simulator.fig5",
                  "io.sluice.simulator.cluster",
                  "io.sluice.simulator.report",
                  "org.knowm.xchart..",
                  "picocli"));

  @TestFactory
  Stream<DynamicTest> each_room_knows_only_its_allowed_rooms() {
    return MAY_KNOW.entrySet().stream()
        .map(
            room ->
                DynamicTest.dynamicTest(
                    room.getKey(), () -> check(room.getKey(), room.getValue())));
  }

  private static void check(String room, List<String> mayKnow) {
    List<String> allowed = new ArrayList<>(mayKnow);
    allowed.addAll(List.of(room, "java..", "org.jspecify..", "com.google.errorprone.."));
    classes()
        .that()
        .resideInAPackage(room)
        .should()
        .onlyDependOnClassesThat(resideInAnyPackage(allowed.toArray(String[]::new)))
        .check(SIMULATOR);
  }

  @Test
  void every_room_is_in_the_table() {
    classes()
        .should()
        .resideInAnyPackage(MAY_KNOW.keySet().toArray(String[]::new))
        .check(SIMULATOR);
  }

  @Test
  void rooms_are_free_of_cycles() {
    slices().matching("io.sluice.simulator.(**)").should().beFreeOfCycles().check(SIMULATOR);
  }

  @Test
  void nothing_depends_on_the_machine() {
    noClasses()
        .should()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(Instant.class, "now")
        .orShould()
        .callMethod(Math.class, "random")
        .because("the same seed has to give the same figures")
        .check(SIMULATOR);
  }
}
