package io.sluice.agent;

import static net.bytebuddy.matcher.ElementMatchers.isConstructor;

import io.sluice.agent.hook.StageHook;
import java.util.concurrent.ConcurrentLinkedQueue;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.asm.AsmVisitorWrapper;
import net.bytebuddy.description.field.FieldDescription;
import net.bytebuddy.description.type.TypeDescription;
import org.jspecify.annotations.Nullable;

/** Chooses the queue of each new stage executor. */
final class StageClassHook implements ClassHook {
  @Override
  public String className() {
    return "org.apache.cassandra.concurrent.SEPExecutor";
  }

  @Override
  public @Nullable String misfit(TypeDescription type) {
    if (!hasField(type, "tasks", ConcurrentLinkedQueue.class)) {
      return "it has no queue 'tasks'";
    }
    return hasField(type, "name", String.class) ? null : "it has no 'name'";
  }

  @Override
  public AsmVisitorWrapper change() {
    return Advice.to(StageAdvice.class).on(isConstructor());
  }

  private static boolean hasField(TypeDescription type, String name, Class<?> of) {
    for (FieldDescription each : type.getDeclaredFields()) {
      if (each.getName().equals(name) && !each.isStatic()) {
        return each.getType().asErasure().represents(of);
      }
    }
    return false;
  }

  /** Copied to the end of each constructor of {@code SEPExecutor}. May replace the queue. */
  static final class StageAdvice {
    private StageAdvice() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    @SuppressWarnings({"UnusedVariable", "ParameterReassignment"}) // the assignment sets the field
    static void exit(
        @Advice.FieldValue("name") String name,
        @Advice.FieldValue(value = "tasks", readOnly = false) ConcurrentLinkedQueue<Object> tasks) {
      tasks = StageHook.queueFor(name, tasks);
    }
  }
}
