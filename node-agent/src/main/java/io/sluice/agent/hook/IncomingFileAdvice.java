package io.sluice.agent.hook;

import net.bytebuddy.asm.Advice;

/** Copied around the method that reads a file from a stream and writes its SSTable. */
public final class IncomingFileAdvice {
  private IncomingFileAdvice() {}

  @Advice.OnMethodEnter(suppress = Throwable.class)
  static void enter(
      @Advice.FieldValue("session") Object session, @Advice.FieldValue("header") Object header) {
    JoinHook.reads(session, header);
  }

  @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
  static void exit() {
    JoinHook.writesNoMore(false);
  }
}
