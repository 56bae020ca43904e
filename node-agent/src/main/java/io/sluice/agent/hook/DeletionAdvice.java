package io.sluice.agent.hook;

import net.bytebuddy.asm.Advice;

/** Copied to the start of the method that deletes an SSTable's files. */
public final class DeletionAdvice {
  private DeletionAdvice() {}

  @Advice.OnMethodEnter(suppress = Throwable.class)
  static void enter(@Advice.FieldValue("desc") Object descriptor) {
    PinHook.deleting(descriptor);
  }
}
