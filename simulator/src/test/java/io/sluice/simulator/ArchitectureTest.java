package io.sluice.simulator;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import io.sluice.testkit.Rooms;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Tests the dependencies between the simulator's rooms, and the parts of the proxy that they may
 * use.
 */
class ArchitectureTest {
  private static final Rooms SIMULATOR = Rooms.of("io.sluice.simulator");

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
                  "io.sluice.fleet",
                  "io.sluice.ring",
                  "io.sluice.time",
                  "org.HdrHistogram"),
          "io.sluice.simulator.report", List.of("org.knowm.xchart..", "com.fasterxml.jackson.."),
          "io.sluice.simulator",
              List.of(
                  "io.sluice.simulator.fig5",
                  "io.sluice.simulator.cluster",
                  "io.sluice.simulator.report",
                  "io.sluice.command",
                  "org.knowm.xchart..",
                  "picocli"));

  @TestFactory
  Stream<DynamicTest> each_room_knows_only_its_allowed_rooms() {
    return SIMULATOR.knowOnly(MAY_KNOW);
  }

  @Test
  void every_room_is_in_the_table() {
    SIMULATOR.areAllAmong(MAY_KNOW.keySet());
  }

  @Test
  void rooms_are_free_of_cycles() {
    SIMULATOR.haveNoCycles();
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
        .check(SIMULATOR.classes());
  }
}
