package io.sluice.host;

import io.sluice.testkit.Rooms;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The dependencies between the rooms of the host, and their independence of the proxy. */
class ArchitectureTest {
  private static final Rooms HOST = Rooms.of("io.sluice.host");
  private static final String ROOM = "io.sluice.host.";

  private static final Map<String, List<String>> MAY_KNOW =
      Map.of(
          "io.sluice.host.tree", List.of(),
          "io.sluice.host.process", List.of(ROOM + "tree"),
          "io.sluice.host.change", List.of(ROOM + "tree"),
          "io.sluice.host.plan", List.of(ROOM + "tree", ROOM + "process"),
          "io.sluice.host.join",
              List.of(
                  ROOM + "tree", ROOM + "process", ROOM + "change", ROOM + "plan", ROOM + "jvm"),
          "io.sluice.host.jvm",
              List.of(
                  "javax.management..", "javax.net.ssl", "javax.rmi.ssl", "com.sun.tools.attach"),
          "io.sluice.host.memory",
              List.of(ROOM + "tree", ROOM + "process", ROOM + "change", ROOM + "jvm"),
          "io.sluice.host",
              List.of(
                  ROOM + "tree",
                  ROOM + "process",
                  ROOM + "change",
                  ROOM + "plan",
                  ROOM + "join",
                  ROOM + "memory",
                  "io.sluice.command",
                  "picocli"));

  @TestFactory
  Stream<DynamicTest> each_room_knows_only_its_allowed_rooms() {
    return HOST.knowOnly(MAY_KNOW);
  }

  @Test
  void rooms_are_free_of_cycles() {
    HOST.haveNoCycles();
  }

  @Test
  void every_room_is_in_the_table() {
    HOST.areAllAmong(MAY_KNOW.keySet());
  }
}
