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
 * The packages of a module and the dependencies that they may have. Packages are written as
 * ArchUnit has them: {@code io.sluice.ring}, or {@code io.sluice.decide..} with all below it.
 * Immutable.
 */
public final class Rooms {
  private static final List<String> ALWAYS =
      List.of("java..", "org.jspecify..", "com.google.errorprone..");

  private final JavaClasses classes;

  private Rooms(JavaClasses classes) {
    this.classes = classes;
  }

  /** The main classes of these packages and of all below them; neither tests nor this kit. */
  public static Rooms of(String... packages) {
    return new Rooms(
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.contains("/io/sluice/testkit/"))
            .importPackages(packages));
  }

  /** The classes, for rules of a module's own. */
  public JavaClasses classes() {
    return classes;
  }

  /**
   * One test for each room: its classes depend on the JDK's base, on themselves, on what the table
   * allows the room, and on what all rooms may know.
   *
   * @param table what a room may know besides itself, by its name
   * @param everywhere what each of them may know
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

  /** No class lies outside these packages. */
  public void areAllAmong(Collection<String> names) {
    ArchRuleDefinition.classes()
        .should()
        .resideInAnyPackage(names.toArray(String[]::new))
        .check(classes);
  }

  /** No package leads back to itself through others. */
  public void haveNoCycles() {
    slices().matching("io.sluice.(**)").should().beFreeOfCycles().check(classes);
  }
}
