package io.sluice.testkit;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * Counts the fields and methods of stateful classes, by their sources. A stateful class has at
 * least one instance field that is not final. Records, enums and interfaces are none, nor are
 * commands and options of picocli, which has a field for each option. Stateless.
 */
public final class ClassSizes {
  private static final Set<String> PICOCLI =
      Set.of("Command", "Option", "Parameters", "Mixin", "ArgGroup", "Spec");

  private ClassSizes() {}

  /**
   * The size of a class.
   *
   * @param name its name with its package and the classes around it
   * @param fields number of instance fields
   * @param methods number of declared methods, without constructors
   */
  public record Size(String name, int fields, int methods) {}

  /** Returns the stateful classes in the main code of all modules of a project. */
  public static List<Size> in(Path project) throws IOException {
    List<Path> files = new ArrayList<>();
    try (Stream<Path> modules = Files.list(project)) {
      for (Path module : modules.sorted().toList()) {
        Path sources = module.resolve("src/main/java");
        if (Files.isDirectory(sources)) {
          try (Stream<Path> all = Files.walk(sources)) {
            all.filter(each -> each.toString().endsWith(".java")).sorted().forEach(files::add);
          }
        }
      }
    }
    return of(files);
  }

  /** Returns the stateful classes of these files. */
  static List<Size> of(List<Path> files) throws IOException {
    if (files.isEmpty()) {
      return List.of();
    }
    List<Size> sizes = new ArrayList<>();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager manager =
        compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null,
                  manager,
                  fault -> {
                    throw new UncheckedIOException(new IOException(fault.toString()));
                  },
                  List.of("-proc:none"),
                  null,
                  manager.getJavaFileObjectsFromPaths(files));
      for (CompilationUnitTree file : task.parse()) {
        new Classes(sizes).scan(file, String.valueOf(file.getPackageName()));
      }
    }
    return sizes;
  }

  /** Visits each class with the name of the package or class around it. */
  private static final class Classes extends TreeScanner<@Nullable Void, String> {
    private final List<Size> sizes;

    Classes(List<Size> sizes) {
      this.sizes = sizes;
    }

    @Override
    public @Nullable Void visitClass(ClassTree type, String around) {
      String name = around + "." + type.getSimpleName();
      List<VariableTree> fields = instanceFields(type);
      if (type.getKind() == Tree.Kind.CLASS
          && fields.stream().anyMatch(each -> !isFinal(each))
          && !isOfPicocli(type, fields)) {
        sizes.add(new Size(name, fields.size(), methods(type)));
      }
      return super.visitClass(type, name);
    }
  }

  private static List<VariableTree> instanceFields(ClassTree type) {
    return type.getMembers().stream()
        .filter(VariableTree.class::isInstance)
        .map(VariableTree.class::cast)
        .filter(each -> !each.getModifiers().getFlags().contains(Modifier.STATIC))
        .toList();
  }

  private static boolean isFinal(VariableTree field) {
    return field.getModifiers().getFlags().contains(Modifier.FINAL);
  }

  private static int methods(ClassTree type) {
    return (int)
        type.getMembers().stream()
            .filter(
                each ->
                    each instanceof MethodTree method && !method.getName().contentEquals("<init>"))
            .count();
  }

  private static boolean isOfPicocli(ClassTree type, List<VariableTree> fields) {
    return Stream.concat(
            type.getModifiers().getAnnotations().stream(),
            fields.stream().flatMap(each -> each.getModifiers().getAnnotations().stream()))
        .map(each -> each.getAnnotationType().toString())
        .anyMatch(each -> PICOCLI.contains(each.substring(each.lastIndexOf('.') + 1)));
  }
}
