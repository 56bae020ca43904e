package io.sluice;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.originOwner;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.protocol.internal.FrameCodec;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import io.sluice.testkit.ClassSizes;
import io.sluice.testkit.FileLoops;
import io.sluice.testkit.Rooms;
import io.sluice.testkit.TypeAccess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class ArchitectureTest {
  private static final Rooms ROOMS = Rooms.of("io.sluice");
  private static final JavaClasses CORE = ROOMS.classes();

  /** The reached share in this module, rounded down. */
  private static final double LEAST_PRIVATE = 0.58;

  /** The reached share in all modules, rounded down. */
  private static final double LEAST_PRIVATE_OF_ALL = 0.63;

  private static final int MOST_FILES_IN_A_LOOP = 3;
  private static final int MOST_FIELDS = 12;
  private static final int MOST_METHODS = 25;

  /** The rooms that each room may use, by ARCHITECTURE.md. */
  static final Map<String, List<String>> MAY_KNOW = readTable(Path.of("../ARCHITECTURE.md"));

  private static Map<String, List<String>> readTable(Path file) {
    Map<String, List<String>> rooms = new LinkedHashMap<>();
    try (Stream<String> lines = Files.lines(file)) {
      lines
          .dropWhile(line -> !line.equals("### Who may know whom"))
          .dropWhile(line -> !line.startsWith("|---"))
          .skip(1)
          .takeWhile(line -> line.startsWith("|"))
          .map(line -> line.split("\\|"))
          .filter(cells -> !cells[1].contains("`"))
          .forEach(cells -> rooms.put(name(cells[1]), names(cells[2])));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return rooms;
  }

  private static List<String> names(String cell) {
    return Stream.of(cell.split(","))
        .filter(n -> !n.contains("–"))
        .map(ArchitectureTest::name)
        .toList();
  }

  private static String name(String cell) {
    return "io.sluice." + cell.strip();
  }

  /** Vendor packages that a room may use besides the JDK. */
  static final Map<String, List<String>> VENDOR =
      Map.ofEntries(
          Map.entry(
              "io.sluice.accept",
              List.of(
                  "io.netty.channel..",
                  "io.netty.bootstrap..",
                  "io.netty.buffer..",
                  "io.netty.util.concurrent..",
                  "org.slf4j..")),
          Map.entry(
              "io.sluice.link",
              List.of(
                  "io.netty.channel..",
                  "io.netty.bootstrap..",
                  "io.netty.util.concurrent..",
                  "org.slf4j..")),
          Map.entry(
              "io.sluice.watch",
              List.of(
                  "com.datastax.oss.driver..",
                  "com.datastax.oss.protocol.internal..",
                  "io.netty.buffer..",
                  "javax.net.ssl..",
                  "org.slf4j..")),
          Map.entry(
              "io.sluice.tls",
              List.of(
                  "io.netty..",
                  "javax.net.ssl..",
                  "javax.crypto..",
                  "javax.security.auth.x500..",
                  "org.slf4j..")),
          Map.entry(
              "io.sluice.wire",
              List.of(
                  "io.netty..",
                  "com.datastax.oss.protocol..",
                  "com.datastax.oss.driver.internal.core.protocol..",
                  "net.jpountz..",
                  "org.xerial.snappy..")),
          Map.entry("io.sluice.decide.predict", List.of("com.github.benmanes.caffeine.cache..")),
          Map.entry("io.sluice.statement", List.of("com.github.benmanes.caffeine.cache..")),
          Map.entry("io.sluice.meter", List.of("io.micrometer.core.instrument..")),
          Map.entry("io.sluice.audit", List.of("org.slf4j..")),
          Map.entry("io.sluice.exchange", List.of("org.slf4j..")),
          Map.entry("io.sluice.journal", List.of("org.slf4j..")),
          Map.entry("io.sluice.usage", List.of("org.slf4j..")),
          Map.entry("io.sluice.fleet", List.of("org.slf4j..", "javax.crypto..")),
          Map.entry("io.sluice.time", List.of("org.slf4j..")),
          Map.entry("io.sluice.offline", List.of("io.micrometer.core.instrument..")),
          Map.entry(
              "io.sluice.exchange.range",
              List.of("io.micrometer.core.instrument..", "io.netty.buffer..")),
          Map.entry(
              "io.sluice.console", List.of("com.github.benmanes.caffeine.cache..", "org.slf4j..")),
          Map.entry("io.sluice.execute.table", List.of("io.netty.util..", "io.netty.buffer..")),
          Map.entry("io.sluice.execute.merge", List.of("io.netty.buffer..")));

  @TestFactory
  Stream<DynamicTest> each_room_knows_only_its_allowed_rooms() {
    Map<String, List<String>> all = new LinkedHashMap<>();
    MAY_KNOW.forEach(
        (room, others) -> {
          List<String> known = new ArrayList<>(others);
          known.addAll(VENDOR.getOrDefault(room, List.of()));
          all.put(room, known);
        });
    return ROOMS.knowOnly(all);
  }

  /** Rooms that decide without side effects. */
  @Test
  void what_decides_sees_no_socket_no_buffer_and_no_log() {
    noClasses()
        .that()
        .resideInAPackage("io.sluice.decide..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.netty..", "org.slf4j..", "io.micrometer..", "io.sluice.wire..")
        .check(CORE);
  }

  @Test
  void channels_are_known_only_where_bytes_come_and_go() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            "io.sluice.accept", "io.sluice.link", "io.sluice.tls", "io.sluice.wire")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.netty.channel..")
        .check(CORE);
  }

  @Test
  void no_room_knows_the_path() {
    noClasses()
        .that()
        .resideInAPackage("io.sluice.(**)")
        .and()
        .resideOutsideOfPackage("io.sluice")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.sluice")
        .check(CORE);
  }

  @Test
  void rooms_are_free_of_cycles() {
    ROOMS.haveNoCycles();
  }

  /** In all modules. To understand one file of a loop, a reader has to understand all of them. */
  @Test
  void at_most_three_files_of_a_package_name_each_other_in_a_loop() throws IOException {
    List<FileLoops.Loop> loops = FileLoops.in(Path.of(".."));
    assertThat(loops).isNotEmpty();
    assertThat(loops)
        .allSatisfy(
            loop ->
                assertThat(loop.files())
                    .as("files of %s in a loop", loop.folder())
                    .hasSizeLessThanOrEqualTo(MOST_FILES_IN_A_LOOP));
  }

  /**
   * In all modules. A class with more has more than one subject, or a state that no reader can keep
   * in mind.
   */
  @Test
  void a_stateful_class_has_at_most_12_fields_and_25_methods() throws IOException {
    List<ClassSizes.Size> stateful = ClassSizes.in(Path.of(".."));
    assertThat(stateful).hasSizeGreaterThan(100);
    assertThat(stateful)
        .filteredOn(each -> each.fields() > MOST_FIELDS || each.methods() > MOST_METHODS)
        .as("classes with more than %d fields or %d methods", MOST_FIELDS, MOST_METHODS)
        .isEmpty();
  }

  @Test
  void path_rooms_sort_in_the_order_a_request_meets_them() {
    List<String> path =
        MAY_KNOW.keySet().stream()
            .filter(r -> r.matches("io[.]sluice[.](accept|decide|execute).*"))
            .toList();
    assertThat(path).isSorted();
  }

  /** Neither by a call nor by a method reference. */
  @Test
  void no_class_reads_the_system_clock() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.sluice.time")
        .should()
        .accessTargetWhere(
            target(nameMatching("nanoTime|currentTimeMillis"))
                .and(target(owner(equivalentTo(System.class)))))
        .orShould()
        .accessTargetWhere(
            target(nameMatching("now")).and(target(owner(equivalentTo(Instant.class)))))
        .orShould()
        .callMethod(Thread.class, "sleep", long.class)
        .because("time is an argument, so that tests set it")
        .check(CORE);
  }

  @Test
  void every_package_is_in_the_table() {
    assertThat(
            CORE.stream()
                .map(JavaClass::getPackageName)
                .distinct()
                .filter(n -> !n.equals("io.sluice")))
        .allMatch(MAY_KNOW::containsKey);
  }

  @Test
  void no_class_waits_for_a_future() {
    noClasses()
        .should()
        .callMethodWhere(
            target(nameMatching("get|join|await|sync|awaitUninterruptibly|syncUninterruptibly"))
                .and(target(owner(assignableTo(Future.class))))
                .and(not(originOwner(simpleName("ListeningPort")))))
        .because("no thread of the proxy blocks; only binding and unbinding the port may wait")
        .check(CORE);
  }

  @Test
  void the_vendors_codec_decodes_no_frame() {
    noClasses()
        .should()
        .callMethod(FrameCodec.class, "decode", Object.class)
        .because("it allocates whatever a length announces")
        .check(CORE);
  }

  @Test
  void names_say_what_a_thing_is() {
    noClasses().should().haveNameMatching(".*(Util|Utils|Helper|Manager|Impl)$").check(CORE);
  }

  @Test
  void each_path_room_has_one_public_entry_class() {
    Map<String, List<String>> entries = new TreeMap<>();
    for (JavaClass c : CORE) {
      if (c.getPackageName().matches("io[.]sluice[.](accept|decide|execute).*")
          && c.isTopLevelClass()
          && c.getModifiers().contains(JavaModifier.PUBLIC)
          && !c.isInterface()
          && !c.isRecord()
          && !c.isEnum()
          && c.getConstructors().stream()
              .anyMatch(made -> made.getModifiers().contains(JavaModifier.PUBLIC))) {
        entries.computeIfAbsent(c.getPackageName(), k -> new ArrayList<>()).add(c.getSimpleName());
      }
    }
    assertThat(entries.values()).allSatisfy(v -> assertThat(v).hasSizeLessThanOrEqualTo(1));
  }

  @Test
  void every_package_says_where_it_stands_on_the_path() throws IOException {
    Map<String, String> said = new TreeMap<>();
    try (Stream<Path> files = Files.walk(Path.of("src/main/java/io/sluice"))) {
      for (Path file : files.filter(each -> each.endsWith("package-info.java")).toList()) {
        said.put(String.valueOf(file.getParent()), Files.readString(file));
      }
    }
    said.remove("src/main/java/io/sluice");
    said.remove("src/main/java/io/sluice/decide");
    assertThat(said).hasSizeGreaterThan(10);
    assertThat(said)
        .allSatisfy(
            (room, text) ->
                assertThat(text).containsPattern("(Foundation: |Steps? [1-8]( and [1-8])? of 8)"));
  }

  @Test
  void what_need_not_be_public_is_package_private() {
    List<JavaClass> types =
        CORE.stream()
            .filter(each -> each.isTopLevelClass() && !each.getSimpleName().equals("package-info"))
            .toList();
    long open =
        types.stream().filter(each -> each.getModifiers().contains(JavaModifier.PUBLIC)).count();
    assertThat(1 - open / (double) types.size())
        .as("share of package-private types among %d", types.size())
        .isGreaterThanOrEqualTo(LEAST_PRIVATE);
  }

  @Test
  void what_need_not_be_public_is_package_private_in_all_modules() throws IOException {
    TypeAccess types = TypeAccess.in(Path.of(".."));
    assertThat(types.packagePrivate())
        .as("share of package-private types among %d", types.all())
        .isGreaterThanOrEqualTo(LEAST_PRIVATE_OF_ALL);
  }
}
