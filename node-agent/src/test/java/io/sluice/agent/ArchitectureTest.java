package io.sluice.agent;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import io.sluice.testkit.Rooms;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class ArchitectureTest {
  private static final Rooms AGENT = Rooms.of("io.sluice.agent");

  /** Each room, with the packages that it may use besides itself and the JDK. */
  private static final Map<String, List<String>> MAY_KNOW =
      Map.of(
          "io.sluice.agent.queue", List.of(),
          "io.sluice.agent.hint", List.of(),
          "io.sluice.agent.classify", List.of("io.sluice.agent.queue", "io.sluice.agent.hint"),
          "io.sluice.agent.host", List.of(),
          "io.sluice.agent.pin", List.of("io.sluice.agent.host"),
          "io.sluice.agent.join", List.of("io.sluice.agent.host"),
          "io.sluice.agent.hook",
              List.of(
                  "io.sluice.agent.queue",
                  "io.sluice.agent.hint",
                  "io.sluice.agent.classify",
                  "io.sluice.agent.pin",
                  "io.sluice.agent.join"),
          "io.sluice.agent",
              List.of(
                  "io.sluice.agent.hook",
                  "io.sluice.agent.host",
                  "io.sluice.agent.pin",
                  "net.bytebuddy.."));

  @TestFactory
  Stream<DynamicTest> each_room_knows_only_its_allowed_rooms() {
    return AGENT.knowOnly(MAY_KNOW, "javax.management..");
  }

  @Test
  void every_package_is_in_the_table() {
    AGENT.areAllAmong(MAY_KNOW.keySet());
  }

  @Test
  void rooms_are_free_of_cycles() {
    AGENT.haveNoCycles();
  }

  /** A class of Cassandra that is loaded too early could not be changed any more. */
  @Test
  void nothing_links_to_a_class_of_cassandra() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.apache..")
        .check(AGENT.classes());
  }

  @Test
  void only_classes_that_get_a_clock_read_it() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.sluice.agent.hook")
        .should()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .check(AGENT.classes());
  }
}
