package io.sluice.agent;

import static net.bytebuddy.matcher.ElementMatchers.isStatic;
import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.not;
import static net.bytebuddy.matcher.ElementMatchers.returns;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import io.sluice.agent.hook.PinHook;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.asm.AsmVisitorWrapper;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.matcher.ElementMatcher;
import net.bytebuddy.matcher.ElementMatchers;
import org.jspecify.annotations.Nullable;

/**
 * Reports to {@code pin} which tables have other SSTables than before. One method makes every
 * change.
 */
final class TrackerClassHook implements ClassHook {
  private static final ElementMatcher.Junction<MethodDescription> CHANGES =
      ElementMatchers.<MethodDescription>named("apply")
          .and(not(isStatic()))
          .and(takesArguments(2))
          .and(returns(named("org.apache.cassandra.utils.Pair")));

  @Override
  public String className() {
    return "org.apache.cassandra.db.lifecycle.Tracker";
  }

  @Override
  public @Nullable String misfit(TypeDescription type) {
    return type.getDeclaredMethods().filter(CHANGES).size() == 1
        ? null
        : "it has no 'apply' that every change goes through";
  }

  @Override
  public AsmVisitorWrapper change() {
    return Advice.to(TrackerAdvice.class).on(CHANGES);
  }

  @Override
  public void onMisfit() {
    PinHook.misfit();
  }

  /** Copied to the end of the methods of {@code Tracker} that change a table's SSTables. */
  static final class TrackerAdvice {
    private TrackerAdvice() {}

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.This Object tracker) {
      PinHook.changed(tracker);
    }
  }
}
