package io.sluice.agent;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesNoArguments;

import io.sluice.agent.hook.HintHook;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.asm.AsmVisitorWrapper;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.matcher.ElementMatcher;
import net.bytebuddy.matcher.ElementMatchers;
import org.jspecify.annotations.Nullable;

/** Uses the coordinator's concurrency as the width of a range read whose hint has no width. */
final class RangeClassHook implements ClassHook {
  private static final ElementMatcher.Junction<MethodDescription> SENDS_A_ROUND =
      ElementMatchers.<MethodDescription>named("sendNextRequests").and(takesNoArguments());

  @Override
  public String className() {
    return "org.apache.cassandra.service.reads.range.RangeCommandIterator";
  }

  @Override
  public @Nullable String misfit(TypeDescription type) {
    if (type.getDeclaredFields().filter(named("concurrencyFactor")).isEmpty()) {
      return "it has no 'concurrencyFactor'";
    }
    return type.getDeclaredMethods().filter(SENDS_A_ROUND).size() == 1
        ? null
        : "it has no 'sendNextRequests'";
  }

  @Override
  public AsmVisitorWrapper change() {
    return Advice.to(RangeAdvice.class).on(SENDS_A_ROUND);
  }

  /**
   * Copied around the method of {@code RangeCommandIterator} that sends one round of a range read.
   */
  static final class RangeAdvice {
    private RangeAdvice() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static @Nullable Object enter(@Advice.FieldValue("concurrencyFactor") int concurrency) {
      return HintHook.roundBegins(concurrency);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter @Nullable Object requests) {
      HintHook.roundEnds(requests);
    }
  }
}
