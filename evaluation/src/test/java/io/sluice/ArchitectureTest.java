package io.sluice;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class ArchitectureTest {
  private static final JavaClasses OURS =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.sluice.demo", "io.sluice.bench", "io.sluice.evaluate");

  /** Room -> the rooms of Sluice it may know. */
  private static final Map<String, List<String>> MAY_KNOW =
      Map.of(
          "demo", List.of("cluster"),
          "bench", List.of("cluster", "rawcql"),
          "evaluate.figures", List.of(),
          "evaluate.drive", List.of("load"),
          "evaluate.bed", List.of("load", "cluster", "evaluate.drive"),
          "evaluate.report", List.of("evaluate.figures"),
          "evaluate",
              List.of(
                  "load",
                  "cluster",
                  "evaluate.figures",
                  "evaluate.drive",
                  "evaluate.bed",
                  "evaluate.report"));

  @TestFactory
  Stream<DynamicTest> every_room_knows_only_the_rooms_it_may() {
    return MAY_KNOW.entrySet().stream()
        .map(
            room ->
                DynamicTest.dynamicTest(
                    room.getKey(),
                    () -> {
                      List<String> allowed = new ArrayList<>(room.getValue());
                      allowed.add(room.getKey());
                      String[] packages =
                          Stream.concat(
                                  allowed.stream().map("io.sluice."::concat),
                                  Stream.of(
                                      "java..",
                                      "javax..",
                                      "com.sun..",
                                      "com.datastax..",
                                      "site..",
                                      "com.google.errorprone..",
                                      "org..",
                                      "picocli..",
                                      "com.fasterxml.."))
                              .toArray(String[]::new);
                      classes()
                          .that()
                          .resideInAPackage("io.sluice." + room.getKey())
                          .should()
                          .onlyDependOnClassesThat()
                          .resideInAnyPackage(packages)
                          .check(OURS);
                    }));
  }

  @Test
  void charts_stay_in_the_report_and_nothing_knows_the_drivers_internals() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.sluice.evaluate.report")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.knowm..", "java.awt..")
        .check(OURS);
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAPackage("com.datastax.oss.driver.internal..")
        .check(OURS);
  }

  @Test
  void rooms_have_no_cycles() {
    slices().matching("io.sluice.(**)").should().beFreeOfCycles().check(OURS);
  }
}
