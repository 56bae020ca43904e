package io.sluice.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The top-level types in the main code of all modules of a project, by their access. Each is the
 * one type of its file.
 *
 * @param all the number of types
 * @param open the names of the public ones, with their packages
 */
public record TypeAccess(int all, List<String> open) {
  private static final String END = ".java";

  public TypeAccess {
    open = List.copyOf(open);
  }

  /** Reads the types of a project. */
  public static TypeAccess in(Path project) throws IOException {
    int all = 0;
    List<String> open = new ArrayList<>();
    for (Path sources : sources(project)) {
      try (Stream<Path> files = Files.walk(sources)) {
        for (Path file : files.filter(TypeAccess::isOfType).sorted().toList()) {
          String type = name(sources.relativize(file));
          all++;
          if (isPublic(type.substring(type.lastIndexOf('.') + 1), Files.readString(file))) {
            open.add(type);
          }
        }
      }
    }
    return new TypeAccess(all, open);
  }

  private static List<Path> sources(Path project) throws IOException {
    try (Stream<Path> modules = Files.list(project)) {
      return modules
          .map(module -> module.resolve("src/main/java"))
          .filter(Files::isDirectory)
          .sorted()
          .toList();
    }
  }

  private static boolean isOfType(Path file) {
    return file.toString().endsWith(END) && !file.endsWith("package-info" + END);
  }

  private static String name(Path file) {
    String path = file.toString();
    return path.substring(0, path.length() - END.length())
        .replace(file.getFileSystem().getSeparator(), ".");
  }

  private static boolean isPublic(String type, String text) {
    return Pattern.compile("(?m)^public [^\n]*\\b(class|record|interface|enum) " + type + "\\b")
        .matcher(text)
        .find();
  }

  /** Returns the share of the types that are package-private, 0 to 1. */
  public double packagePrivate() {
    return all == 0 ? 1 : 1 - open.size() / (double) all;
  }
}
