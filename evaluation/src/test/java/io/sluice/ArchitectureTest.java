package io.sluice;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static java.util.Map.entry;

import io.sluice.testkit.Rooms;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class ArchitectureTest {
  private static final Rooms OURS =
      Rooms.of("io.sluice.demo", "io.sluice.bench", "io.sluice.evaluate", "io.sluice.torture");

  /** Each room, with the rooms that it may use. */
  private static final Map<String, List<String>> MAY_KNOW =
      Map.ofEntries(
          entry("io.sluice.demo", List.of("io.sluice.cluster", "io.sluice.command")),
          entry(
              "io.sluice.bench",
              List.of("io.sluice.cluster", "io.sluice.command", "io.sluice.rawcql")),
          entry("io.sluice.torture.check", List.of()),
          entry("io.sluice.torture.wire", List.of()),
          entry(
              "io.sluice.torture.load",
              List.of("io.sluice.torture.check", "io.sluice.torture.wire")),
          entry(
              "io.sluice.torture",
              List.of(
                  "io.sluice.cluster",
                  "io.sluice.command",
                  "io.sluice.torture.check",
                  "io.sluice.torture.load")),
          entry("io.sluice.evaluate.figures", List.of()),
          entry("io.sluice.evaluate.drive", List.of("io.sluice.load")),
          entry(
              "io.sluice.evaluate.bed",
              List.of("io.sluice.load", "io.sluice.cluster", "io.sluice.evaluate.drive")),
          entry("io.sluice.evaluate.report", List.of("io.sluice.evaluate.figures")),
          entry("io.sluice.evaluate.kernel", List.of()),
          entry("io.sluice.evaluate.disk", List.of("io.sluice.cluster")),
          entry(
              "io.sluice.evaluate.study",
              List.of(
                  "io.sluice.load",
                  "io.sluice.cluster",
                  "io.sluice.evaluate.figures",
                  "io.sluice.evaluate.drive",
                  "io.sluice.evaluate.kernel",
                  "io.sluice.evaluate.disk")),
          entry(
              "io.sluice.evaluate",
              List.of(
                  "io.sluice.load",
                  "io.sluice.cluster",
                  "io.sluice.command",
                  "io.sluice.evaluate.figures",
                  "io.sluice.evaluate.drive",
                  "io.sluice.evaluate.bed",
                  "io.sluice.evaluate.kernel",
                  "io.sluice.evaluate.disk",
                  "io.sluice.evaluate.study",
                  "io.sluice.evaluate.report")));

  private static final String[] VENDORS = {
    "javax..",
    "com.sun..",
    "com.datastax..",
    "site..",
    "org..",
    "picocli..",
    "com.fasterxml..",
    "io.netty..",
    "jnr..",
    "ru.serce.."
  };

  @TestFactory
  Stream<DynamicTest> every_room_knows_only_the_rooms_it_may() {
    return OURS.knowOnly(MAY_KNOW, VENDORS);
  }

  @Test
  void every_room_is_in_the_table() {
    OURS.areAllAmong(MAY_KNOW.keySet());
  }

  @Test
  void charts_stay_in_the_report_and_only_the_wire_knows_the_drivers_internals() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.sluice.evaluate.report")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.knowm..", "java.awt..")
        .check(OURS.classes());
    noClasses()
        .that()
        .resideOutsideOfPackage("io.sluice.torture.wire")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("com.datastax.oss.driver.internal..", "io.netty..")
        .check(OURS.classes());
  }

  @Test
  void rooms_have_no_cycles() {
    OURS.haveNoCycles();
  }
}
