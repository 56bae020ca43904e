package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Checks the examples of the README. */
class ReadmeTest {
  /** The line before and after the example. */
  private static final String MARK = "    // README\n";

  @Test
  void the_example_with_containers_is_the_body_of_its_test() throws IOException {
    String test = Files.readString(Path.of("src/test/java/io/sluice/it/SluiceContainerIT.java"));
    int start = test.indexOf(MARK) + MARK.length();
    String example = test.substring(start, test.indexOf(MARK, start)).replaceAll("(?m)^ {4}", "");

    assertThat(Files.readString(Path.of("../README.md"))).contains("```java\n" + example + "```");
  }
}
