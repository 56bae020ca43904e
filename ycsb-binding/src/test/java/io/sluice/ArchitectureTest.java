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
          .importPackages("io.sluice.load", "io.sluice.ycsb");

  /** Room -> the rooms of Sluice it may know. */
  private static final Map<String, List<String>> MAY_KNOW =
      Map.of("load", List.of(), "ycsb", List.of("load"));

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
  void nothing_knows_the_drivers_internals() {
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
