package io.sluice.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds loops among the source files of a package: each file names the type of the next, and the
 * last file that of the first. Comments and strings do not count. A type of the same name that a
 * file imports from another package does not count either. Stateless.
 */
public final class FileLoops {
  private static final Pattern NO_CODE =
      Pattern.compile(
          "//[^\n]*|/[*][\\s\\S]*?[*]/|\"\"\"[\\s\\S]*?\"\"\""
              + "|\"(?:[^\"\\\\\n]|\\\\.)*+\"|'(?:[^'\\\\\n]|\\\\.)++'");
  private static final Pattern IMPORT = Pattern.compile("import [\\w.]+[.](\\w+);");
  private static final Pattern WORD = Pattern.compile("\\w+");
  private static final String END = ".java";

  private FileLoops() {}

  /**
   * Files that all lead to each other.
   *
   * @param folder the folder of their package, with {@code /} between the names
   * @param files their names without {@code .java}; at least two
   */
  public record Loop(String folder, Set<String> files) {}

  /** Returns all loops in the modules of a project. */
  public static List<Loop> in(Path project) throws IOException {
    List<Loop> loops = new ArrayList<>();
    try (Stream<Path> modules = Files.list(project)) {
      for (Path module : modules.sorted().toList()) {
        Path sources = module.resolve("src/main/java");
        if (Files.isDirectory(sources)) {
          loops.addAll(under(sources));
        }
      }
    }
    return loops;
  }

  private static List<Loop> under(Path sources) throws IOException {
    Map<String, Map<String, String>> packages = new TreeMap<>();
    try (Stream<Path> all = Files.walk(sources)) {
      for (Path file : all.filter(each -> each.toString().endsWith(END)).toList()) {
        String folder = String.valueOf(sources.relativize(file).getParent()).replace('\\', '/');
        String name = String.valueOf(file.getFileName());
        packages
            .computeIfAbsent(folder, each -> new TreeMap<>())
            .put(name.substring(0, name.length() - END.length()), Files.readString(file));
      }
    }
    List<Loop> loops = new ArrayList<>();
    packages.forEach(
        (folder, texts) -> among(texts).forEach(files -> loops.add(new Loop(folder, files))));
    return loops;
  }

  /** Returns the loops among the files of one package, given as texts by file name. */
  static Set<Set<String>> among(Map<String, String> texts) {
    Map<String, Set<String>> named = new TreeMap<>();
    texts.forEach((file, text) -> named.put(file, named(file, text, texts.keySet())));
    Map<String, Set<String>> reached = new TreeMap<>();
    named.keySet().forEach(file -> reached.put(file, reached(file, named)));

    Set<Set<String>> loops = new LinkedHashSet<>();
    reached.forEach(
        (file, others) -> {
          if (others.contains(file)) {
            Set<String> loop = new TreeSet<>(others);
            loop.removeIf(other -> !reached.getOrDefault(other, Set.of()).contains(file));
            loops.add(loop);
          }
        });
    return loops;
  }

  private static Set<String> named(String file, String text, Set<String> files) {
    String code = NO_CODE.matcher(text).replaceAll(" ");
    Set<String> words = new TreeSet<>();
    for (Matcher word = WORD.matcher(code); word.find(); ) {
      words.add(word.group());
    }
    for (Matcher imported = IMPORT.matcher(code); imported.find(); ) {
      words.remove(imported.group(1));
    }
    words.remove(file);
    words.retainAll(files);
    return words;
  }

  /** Returns all files that {@code from} names, directly or through other files. */
  private static Set<String> reached(String from, Map<String, Set<String>> named) {
    Set<String> reached = new TreeSet<>();
    Deque<String> open = new ArrayDeque<>(List.of(from));
    while (!open.isEmpty()) {
      for (String next : named.getOrDefault(open.pop(), Set.of())) {
        if (reached.add(next)) {
          open.push(next);
        }
      }
    }
    return reached;
  }
}
