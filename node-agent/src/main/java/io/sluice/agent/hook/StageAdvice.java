package io.sluice.agent.hook;

import java.util.concurrent.ConcurrentLinkedQueue;
import net.bytebuddy.asm.Advice;

/** Copied to the end of each constructor of {@code SEPExecutor}. May replace the queue. */
public final class StageAdvice {
  private StageAdvice() {}

  @Advice.OnMethodExit(suppress = Throwable.class)
  @SuppressWarnings({"UnusedVariable", "ParameterReassignment"}) // the assignment sets the field
  static void exit(
      @Advice.FieldValue("name") String name,
      @Advice.FieldValue(value = "tasks", readOnly = false) ConcurrentLinkedQueue<Object> tasks) {
    tasks = StageHook.queueFor(name, tasks);
  }
}
