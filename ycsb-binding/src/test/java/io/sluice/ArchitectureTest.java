package io.sluice;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import io.sluice.testkit.Rooms;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class ArchitectureTest {
  private static final Rooms OURS = Rooms.of("io.sluice.load", "io.sluice.ycsb");

  /** Each room, with the rooms that it may use. */
  private static final Map<String, List<String>> MAY_KNOW =
      Map.of("io.sluice.load", List.of(), "io.sluice.ycsb", List.of("io.sluice.load"));

  private static final String[] VENDORS = {
    "javax..", "com.sun..", "com.datastax..", "site..", "org..", "picocli..", "com.fasterxml.."
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
  void nothing_knows_the_drivers_internals() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAPackage("com.datastax.oss.driver.internal..")
        .check(OURS.classes());
  }

  @Test
  void rooms_have_no_cycles() {
    OURS.haveNoCycles();
  }
}
