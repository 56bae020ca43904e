package io.sluice.agent;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesNoArguments;

import io.sluice.agent.hook.PinHook;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.asm.AsmVisitorWrapper;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.matcher.ElementMatcher;
import net.bytebuddy.matcher.ElementMatchers;
import org.jspecify.annotations.Nullable;

/** Reports to {@code pin} which SSTable is about to be deleted. */
final class DeletionClassHook implements ClassHook {
  private static final ElementMatcher.Junction<MethodDescription> DELETES =
      ElementMatchers.<MethodDescription>named("run").and(takesNoArguments());

  @Override
  public String className() {
    return "org.apache.cassandra.db.lifecycle.LogTransaction$SSTableTidier";
  }

  @Override
  public @Nullable String misfit(TypeDescription type) {
    if (type.getDeclaredFields().filter(named("desc")).isEmpty()) {
      return "it has no 'desc'";
    }
    return type.getDeclaredMethods().filter(DELETES).size() == 1 ? null : "it has no 'run'";
  }

  @Override
  public AsmVisitorWrapper change() {
    return Advice.to(DeletionAdvice.class).on(DELETES);
  }

  @Override
  public void onMisfit() {
    PinHook.misfit();
  }

  /** Copied to the start of the method that deletes an SSTable's files. */
  static final class DeletionAdvice {
    private DeletionAdvice() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.FieldValue("desc") Object descriptor) {
      PinHook.deleting(descriptor);
    }
  }
}
