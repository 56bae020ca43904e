package io.sluice.agent;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesNoArguments;

import io.sluice.agent.hook.JoinHook;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.asm.AsmVisitorWrapper;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.matcher.ElementMatcher;
import net.bytebuddy.matcher.ElementMatchers;
import org.jspecify.annotations.Nullable;

/** Defers syncs of the components of SSTables. */
final class WriterClassHook implements ClassHook {
  private static final ElementMatcher.Junction<MethodDescription> SYNCS =
      ElementMatchers.<MethodDescription>named("syncDataOnlyInternal").and(takesNoArguments());

  @Override
  public String className() {
    return "org.apache.cassandra.io.util.SequentialWriter";
  }

  @Override
  public @Nullable String misfit(TypeDescription type) {
    if (type.getDeclaredFields().filter(named("filePath")).isEmpty()) {
      return "it has no 'filePath'";
    }
    return type.getDeclaredMethods().filter(SYNCS).size() == 1
        ? null
        : "it has no 'syncDataOnlyInternal'";
  }

  @Override
  public AsmVisitorWrapper change() {
    return Advice.to(WriterSyncAdvice.class).on(SYNCS);
  }

  /**
   * Copied to the start of the method of {@code SequentialWriter} that syncs. May skip the method.
   */
  static final class WriterSyncAdvice {
    private WriterSyncAdvice() {}

    @Advice.OnMethodEnter(suppress = Throwable.class, skipOn = Advice.OnNonDefaultValue.class)
    static boolean enter(@Advice.This Object writer, @Advice.FieldValue("filePath") String path) {
      return JoinHook.putsOff(writer, path);
    }
  }
}
