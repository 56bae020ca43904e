package io.sluice;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class ArchitectureTest {
  static final JavaClasses CORE =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.sluice");

  /** Room -> the rooms it may know. The path rooms stand in the order a request meets them. */
  static final Map<String, List<String>> MAY_KNOW = new LinkedHashMap<>();

  static {
    MAY_KNOW.put("io.sluice.time", List.of());
    MAY_KNOW.put("io.sluice.ring", List.of());
    MAY_KNOW.put("io.sluice.wire", List.of());
    MAY_KNOW.put("io.sluice.link", List.of("io.sluice.wire", "io.sluice.ring", "io.sluice.time"));
    MAY_KNOW.put(
        "io.sluice.watch",
        List.of("io.sluice.link", "io.sluice.wire", "io.sluice.ring", "io.sluice.time"));
    MAY_KNOW.put("io.sluice.accept", List.of("io.sluice.wire", "io.sluice.time"));
    MAY_KNOW.put("io.sluice.decide", List.of("io.sluice.ring", "io.sluice.time"));
    MAY_KNOW.put(
        "io.sluice.decide.classify",
        List.of("io.sluice.decide", "io.sluice.wire", "io.sluice.ring", "io.sluice.time"));
    MAY_KNOW.put(
        "io.sluice.decide.plan",
        List.of(
            "io.sluice.decide.classify", "io.sluice.decide", "io.sluice.wire", "io.sluice.ring"));
    MAY_KNOW.put(
        "io.sluice.decide.schedule",
        List.of("io.sluice.decide", "io.sluice.ring", "io.sluice.time"));
    MAY_KNOW.put(
        "io.sluice.execute.dispatch",
        List.of("io.sluice.link", "io.sluice.wire", "io.sluice.ring", "io.sluice.time"));
    MAY_KNOW.put(
        "io.sluice.execute.merge",
        List.of("io.sluice.decide.plan", "io.sluice.wire", "io.sluice.ring"));
    MAY_KNOW.put(
        "io.sluice.execute.reply", List.of("io.sluice.accept", "io.sluice.wire", "io.sluice.time"));
  }

  /** Vendor packages a room may see besides the JDK. */
  static final Map<String, List<String>> VENDOR =
      Map.of(
          "io.sluice.accept", List.of("io.netty.channel..", "io.netty.buffer.."),
          "io.sluice.link", List.of("io.netty.channel..", "io.netty.buffer.."),
          "io.sluice.wire", List.of("io.netty..", "com.datastax.oss.protocol.."),
          "io.sluice.execute.merge", List.of("io.netty.buffer.."));

  @TestFactory
  Stream<DynamicTest> each_room_knows_only_its_allowed_rooms() {
    return MAY_KNOW.entrySet().stream()
        .map(
            e ->
                DynamicTest.dynamicTest(
                    e.getKey(),
                    () -> {
                      List<String> ok = new ArrayList<>(e.getValue());
                      ok.add(e.getKey());
                      ok.addAll(List.of("java..", "org.jspecify..", "com.google.errorprone.."));
                      ok.addAll(VENDOR.getOrDefault(e.getKey(), List.of()));
                      classes()
                          .that()
                          .resideInAPackage(e.getKey())
                          .should()
                          .onlyDependOnClassesThat(resideInAnyPackage(ok.toArray(String[]::new)))
                          .allowEmptyShould(true)
                          .check(CORE);
                    }));
  }

  @Test
  void rooms_are_free_of_cycles() {
    slices().matching("io.sluice.(**)").should().beFreeOfCycles().check(CORE);
  }

  @Test
  void path_rooms_sort_in_the_order_a_request_meets_them() {
    List<String> path =
        MAY_KNOW.keySet().stream()
            .filter(r -> r.matches("io[.]sluice[.](accept|decide|execute).*"))
            .toList();
    assertThat(path).isSorted();
  }

  @Test
  void nobody_reads_the_system_clock() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.sluice.time")
        .should()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(Thread.class, "sleep", long.class)
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
  void nobody_waits_for_a_future() {
    noClasses()
        .should()
        .callMethod(java.util.concurrent.CompletableFuture.class, "join")
        .orShould()
        .callMethod(java.util.concurrent.CompletableFuture.class, "get")
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
}
