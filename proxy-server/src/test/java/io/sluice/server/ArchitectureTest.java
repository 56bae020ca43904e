package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import io.sluice.testkit.Rooms;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The rooms of the host process: what each may use, and its doors. */
class ArchitectureTest {
  private static final String BASE = "io.sluice.server";
  private static final Rooms SERVER = Rooms.of(BASE);

  /** The rows of the rooms in ARCHITECTURE.md, by package. */
  private static final Map<String, Row> ROOMS = readTable(Path.of("../ARCHITECTURE.md"));

  /** Packages of other modules and vendors that a room may use besides the JDK. */
  private static final Map<String, List<String>> OTHERS =
      Map.of(
          BASE,
          List.of(
              "io.sluice",
              "io.sluice.command",
              "io.sluice.console",
              "io.sluice.memory",
              "io.sluice.setting",
              "io.sluice.time",
              "io.sluice.trace",
              "io.sluice.watch",
              "io.sluice.wire",
              "ch.qos.logback..",
              "com.codahale.metrics",
              "io.micrometer..",
              "io.netty..",
              "org.slf4j..",
              "picocli.."),
          BASE + ".settings",
          List.of(
              "io.sluice",
              "io.sluice.accept",
              "io.sluice.audit",
              "io.sluice.console",
              "io.sluice.decide..",
              "io.sluice.exchange",
              "io.sluice.fleet",
              "io.sluice.link",
              "io.sluice.setting",
              "io.sluice.time",
              "io.sluice.tls",
              "io.sluice.usage",
              "io.sluice.watch",
              "ch.qos.logback..",
              "com.codahale.metrics",
              "com.fasterxml.jackson..",
              "io.dropwizard..",
              "io.micrometer..",
              "org.apache.commons.text..",
              "org.slf4j..",
              "picocli.."),
          BASE + ".admin",
          List.of(
              "io.sluice.meter",
              "io.sluice.setting",
              "io.sluice.tls",
              "io.micrometer..",
              "io.netty..",
              "javax.net.ssl..",
              "org.eclipse.jetty.."),
          BASE + ".tool",
          List.of(
              "io.sluice",
              "io.sluice.command",
              "io.sluice.decide.classify",
              "io.sluice.offline",
              "io.sluice.setting",
              "io.sluice.time",
              "io.sluice.tls",
              "io.sluice.watch",
              "ch.qos.logback..",
              "com.datastax.oss.driver..",
              "io.dropwizard.logging..",
              "org.jline..",
              "picocli.."),
          BASE + ".live",
          List.of(
              "io.sluice.decide.schedule",
              "io.sluice.time",
              "com.fasterxml.jackson..",
              "io.micrometer..",
              "org.eclipse.jetty..",
              "org.slf4j.."),
          BASE + ".trace",
          List.of(
              "io.sluice.setting",
              "io.sluice.time",
              "io.sluice.trace",
              "io.micrometer..",
              "io.opentelemetry..",
              "org.slf4j.."));

  /** The doors of a room, and the rooms that it may know. */
  private record Row(Set<String> doors, List<String> mayKnow) {}

  private static Map<String, Row> readTable(Path file) {
    Map<String, Row> rooms = new LinkedHashMap<>();
    try (Stream<String> lines = Files.lines(file)) {
      lines
          .dropWhile(line -> !line.equals("## Rooms of proxy-server"))
          .dropWhile(line -> !line.startsWith("|---"))
          .skip(1)
          .takeWhile(line -> line.startsWith("|"))
          .map(line -> line.split("\\|"))
          .forEach(
              cells ->
                  rooms.put(
                      packageOf(names(cells[1]).get(0)),
                      new Row(
                          Set.copyOf(names(cells[2])),
                          names(cells[4]).stream().map(ArchitectureTest::packageOf).toList())));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return rooms;
  }

  private static String packageOf(String room) {
    return room.equals(BASE) ? room : BASE + "." + room;
  }

  /** Returns the names in a cell, which are in backticks, with or without a star. */
  private static List<String> names(String cell) {
    return Pattern.compile("`([\\w.]+)[*]?`")
        .matcher(cell)
        .results()
        .map(each -> each.group(1))
        .toList();
  }

  @TestFactory
  Stream<DynamicTest> each_room_knows_only_its_allowed_rooms() {
    Map<String, List<String>> all = new LinkedHashMap<>();
    ROOMS.forEach(
        (room, row) ->
            all.put(
                room,
                Stream.concat(row.mayKnow().stream(), OTHERS.getOrDefault(room, List.of()).stream())
                    .toList()));
    return SERVER.knowOnly(all);
  }

  @Test
  void rooms_are_free_of_cycles() {
    SERVER.haveNoCycles();
  }

  @Test
  void every_room_is_in_the_table() {
    SERVER.areAllAmong(ROOMS.keySet());
  }

  @Test
  void only_the_doors_of_the_table_are_public() {
    Map<String, Set<String>> open =
        SERVER.classes().stream()
            .filter(JavaClass::isTopLevelClass)
            .filter(each -> each.getModifiers().contains(JavaModifier.PUBLIC))
            .collect(
                Collectors.groupingBy(
                    JavaClass::getPackageName,
                    TreeMap::new,
                    Collectors.mapping(
                        JavaClass::getSimpleName, Collectors.toCollection(TreeSet::new))));
    Map<String, Set<String>> doors = new TreeMap<>();
    ROOMS.forEach((room, row) -> doors.put(room, row.doors()));
    assertThat(open).isEqualTo(doors);
  }
}
