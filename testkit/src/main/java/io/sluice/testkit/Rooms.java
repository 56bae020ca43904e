package io.sluice.testkit;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/**
 * The packages of a module and their allowed dependencies. Package names are as in ArchUnit: {@code
 * io.sluice.ring}, or {@code io.sluice.decide..} with all packages below it. Immutable.
 */
public final class Rooms {
  private static final List<String> ALWAYS =
      List.of("java..", "org.jspecify..", "com.google.errorprone..");

  private final JavaClasses classes;

  private Rooms(JavaClasses classes) {
    this.classes = classes;
  }

  /**
   * Returns the main classes of these packages and all packages below them, without tests and
   * without this module.
   */
  public static Rooms of(String... packages) {
    return new Rooms(
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.contains("/io/sluice/testkit/"))
            .importPackages(packages));
  }

  /** Returns the classes, for further rules of a module. */
  public JavaClasses classes() {
    return classes;
  }

  /**
   * Returns one test per room: its classes depend only on the JDK's base, on themselves, and on the
   * packages that are allowed for the room or for all rooms.
   *
   * @param table the packages that a room may know besides itself, by its name
   * @param everywhere the packages that each room may know
   */
  public Stream<DynamicTest> knowOnly(Map<String, List<String>> table, String... everywhere) {
    return table.entrySet().stream()
        .map(
            row ->
                DynamicTest.dynamicTest(
                    row.getKey(), () -> check(row.getKey(), row.getValue(), everywhere)));
  }

  private void check(String room, List<String> mayKnow, String... everywhere) {
    List<String> allowed = new ArrayList<>(ALWAYS);
    allowed.add(room);
    allowed.addAll(mayKnow);
    allowed.addAll(List.of(everywhere));
    ArchRuleDefinition.classes()
        .that()
        .resideInAPackage(room)
        .should()
        .onlyDependOnClassesThat(resideInAnyPackage(allowed.toArray(String[]::new)))
        .check(classes);
  }

  /** Checks that no class is outside these packages. */
  public void areAllAmong(Collection<String> names) {
    ArchRuleDefinition.classes()
        .should()
        .resideInAnyPackage(names.toArray(String[]::new))
        .check(classes);
  }

  /** Checks that no package leads back to itself through others. */
  public void haveNoCycles() {
    slices().matching("io.sluice.(**)").should().beFreeOfCycles().check(classes);
  }
}
