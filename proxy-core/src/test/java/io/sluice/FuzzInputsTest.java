package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Tests that each folder of inputs has the name of the target that reads it. Jazzer ignores the
 * other folders.
 */
class FuzzInputsTest {

  private static final Path RESOURCES = Path.of("src", "test", "resources");
  private static final String SUFFIX = "Inputs";

  @TestFactory
  Stream<DynamicTest> each_folder_has_the_name_of_a_target() throws IOException {
    List<Path> folders;
    try (Stream<Path> all = Files.walk(RESOURCES)) {
      folders = all.filter(FuzzInputsTest::isOfAClass).flatMap(FuzzInputsTest::inside).toList();
    }
    assertThat(folders).isNotEmpty();
    return folders.stream()
        .map(each -> DynamicTest.dynamicTest(each.toString(), () -> isOfATarget(each)));
  }

  private static boolean isOfAClass(Path path) {
    return Files.isDirectory(path) && path.toString().endsWith(SUFFIX);
  }

  private static Stream<Path> inside(Path folder) {
    try (Stream<Path> all = Files.list(folder)) {
      return all.toList().stream();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void isOfATarget(Path inputs) throws ClassNotFoundException {
    String folder = RESOURCES.relativize(Objects.requireNonNull(inputs.getParent())).toString();
    String name = folder.substring(0, folder.length() - SUFFIX.length()).replace('/', '.');
    assertThat(Arrays.stream(Class.forName(name).getDeclaredMethods()))
        .filteredOn(method -> method.isAnnotationPresent(FuzzTest.class))
        .extracting(method -> method.getName())
        .contains(String.valueOf(inputs.getFileName()));
  }
}
