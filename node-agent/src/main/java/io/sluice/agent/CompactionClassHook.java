package io.sluice.agent;

import static net.bytebuddy.matcher.ElementMatchers.returns;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import io.sluice.agent.hook.JoinHook;
import java.util.Collections;
import java.util.List;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.asm.AsmVisitorWrapper;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.matcher.ElementMatcher;
import net.bytebuddy.matcher.ElementMatchers;
import org.jspecify.annotations.Nullable;

/** Defers automatic compaction while the node bootstraps. */
final class CompactionClassHook implements ClassHook {
  private static final ElementMatcher.Junction<MethodDescription> SUBMITS =
      ElementMatchers.<MethodDescription>named("submitBackground")
          .and(takesArguments(1))
          .and(returns(List.class));

  @Override
  public String className() {
    return "org.apache.cassandra.db.compaction.CompactionManager";
  }

  @Override
  public @Nullable String misfit(TypeDescription type) {
    return type.getDeclaredMethods().filter(SUBMITS).size() == 1
        ? null
        : "it has no 'submitBackground'";
  }

  @Override
  public AsmVisitorWrapper change() {
    return Advice.to(CompactionAdvice.class).on(SUBMITS);
  }

  /** Copied around the method that submits a table's automatic compaction. May skip the method. */
  static final class CompactionAdvice {
    private CompactionAdvice() {}

    @Advice.OnMethodEnter(suppress = Throwable.class, skipOn = Advice.OnNonDefaultValue.class)
    static boolean enter(@Advice.Argument(0) Object table) {
      return JoinHook.holdsCompaction(table);
    }

    @Advice.OnMethodExit
    @SuppressWarnings({"UnusedVariable", "ParameterReassignment"}) // the method returns this value
    static void exit(
        @Advice.Enter boolean held, @Advice.Return(readOnly = false) List<?> submitted) {
      if (held) {
        submitted = Collections.emptyList();
      }
    }
  }
}
