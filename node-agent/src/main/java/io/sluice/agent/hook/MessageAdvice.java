package io.sluice.agent.hook;

import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner;

/** Copied to the end of the method of {@code ReadCommand} that creates a message to a replica. */
public final class MessageAdvice {
  private MessageAdvice() {}

  @Advice.OnMethodExit(suppress = Throwable.class)
  @SuppressWarnings({"UnusedVariable", "ParameterReassignment"}) // the method returns this value
  static void exit(
      @Advice.This Object command,
      @Advice.Return(readOnly = false, typing = Assigner.Typing.DYNAMIC) Object message) {
    message = HintHook.messageFor(command, message);
  }
}
