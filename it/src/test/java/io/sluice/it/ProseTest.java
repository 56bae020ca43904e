package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The rules for class comments, in the sources of all modules. */
class ProseTest {

  private static final Path ROOT = Path.of("..");

  /** The comment right before the declaration of the type that the file is named after. */
  private static final String COMMENT_OF =
      "/\\*\\*((?:(?!\\*/).)*?)\\*/\\s*(?:@[^\\n]*\\n\\s*)*(?:[a-z-]+ )*(?:class|interface|record|enum|@interface) %s\\b";

  private static final Pattern FREE_RELATIVE =
      Pattern.compile(
          "(What|How|Where|Which|Who|Whose|Whom|Whether|When|Why)\\b.*", Pattern.DOTALL);

  @Test
  void a_class_comment_begins_with_a_noun_or_a_verb() throws IOException {
    List<String> wrong = new ArrayList<>();
    for (Path file : sources()) {
      String comment = classComment(file);
      if (FREE_RELATIVE.matcher(comment).matches()) {
        wrong.add(ROOT.relativize(file) + ": " + comment);
      }
    }
    assertThat(wrong).isEmpty();
  }

  /**
   * Thread safety is "Safe for any thread", "Not safe for several threads", which may go on, or
   * "Immutable".
   */
  private static final Pattern OTHER_THREAD_SAFETY =
      Pattern.compile(
          "(?i)thread-?safe|safe for threads|two threads|[.:] one lane[.]|used on its client's lane only");

  @Test
  void a_class_comment_says_its_thread_safety_in_one_of_three_forms() throws IOException {
    List<String> wrong = new ArrayList<>();
    for (Path file : sources()) {
      String comment = classComment(file);
      if (file.toString().contains("/src/main/")
          && OTHER_THREAD_SAFETY.matcher(comment.replace("threads: one lane.", "")).find()) {
        wrong.add(ROOT.relativize(file) + ": " + comment);
      }
    }
    assertThat(wrong).isEmpty();
  }

  private static final Pattern PERSON =
      Pattern.compile(
          "^\\s*(?:\\*|//|/\\*\\*).*\\b(nobody|somebody|anybody|everybody|whoever)\\b.*",
          Pattern.CASE_INSENSITIVE);

  @Test
  void no_comment_of_main_code_calls_a_thing_a_person() throws IOException {
    List<String> wrong = new ArrayList<>();
    for (Path file : sources()) {
      if (file.toString().contains("/src/main/")) {
        Files.readString(file)
            .lines()
            .filter(line -> PERSON.matcher(line).matches())
            .forEach(line -> wrong.add(ROOT.relativize(file) + ": " + line));
      }
    }
    assertThat(wrong).isEmpty();
    assertThat("  /** Nobody waits. */").matches(PERSON);
    assertThat("  String nobody = null;").doesNotMatch(PERSON);
  }

  @Test
  void the_rule_finds_what_it_forbids() {
    assertThat(classComment("Kr", "/** What it is. */\n@Immutable\npublic final class Kr {}"))
        .matches(FREE_RELATIVE);
    assertThat(classComment("Kr", "/** The limit. */\nrecord Kr(int value) {}"))
        .isEqualTo("The limit.")
        .doesNotMatch(FREE_RELATIVE);
  }

  private static List<Path> sources() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT)) {
      List<Path> sources =
          files
              .filter(file -> file.toString().matches(".*/src/(main|test)/java/.*[.]java"))
              .toList();
      assertThat(sources).hasSizeGreaterThan(500);
      return sources;
    }
  }

  private static String classComment(Path file) throws IOException {
    String name = file.getFileName().toString().replace(".java", "");
    return classComment(name, Files.readString(file));
  }

  private static String classComment(String name, String source) {
    String pattern =
        name.equals("package-info")
            ? "/\\*\\*(.*?)\\*/"
            : COMMENT_OF.formatted(Pattern.quote(name));
    Matcher comment = Pattern.compile(pattern, Pattern.DOTALL).matcher(source);
    return comment.find() ? comment.group(1).replaceAll("\\s*\\n\\s*\\*?\\s*", " ").strip() : "";
  }
}
