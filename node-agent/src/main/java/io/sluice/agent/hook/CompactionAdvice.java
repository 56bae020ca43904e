package io.sluice.agent.hook;

import java.util.Collections;
import java.util.List;
import net.bytebuddy.asm.Advice;

/** Copied around the method that submits a table's automatic compaction. May skip the method. */
public final class CompactionAdvice {
  private CompactionAdvice() {}

  @Advice.OnMethodEnter(suppress = Throwable.class, skipOn = Advice.OnNonDefaultValue.class)
  static boolean enter(@Advice.Argument(0) Object table) {
    return JoinHook.holdsCompaction(table);
  }

  @Advice.OnMethodExit
  @SuppressWarnings({"UnusedVariable", "ParameterReassignment"}) // the method returns this value
  static void exit(@Advice.Enter boolean held, @Advice.Return(readOnly = false) List<?> submitted) {
    if (held) {
      submitted = Collections.emptyList();
    }
  }
}
