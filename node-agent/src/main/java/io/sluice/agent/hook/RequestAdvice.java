package io.sluice.agent.hook;

import java.nio.ByteBuffer;
import java.util.Map;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner;
import org.jspecify.annotations.Nullable;

/** Copied around the methods of {@code QueryProcessor} that take a request with its payload. */
public final class RequestAdvice {
  private RequestAdvice() {}

  @Advice.OnMethodEnter(suppress = Throwable.class)
  static void enter(@Advice.Argument(3) @Nullable Map<String, ByteBuffer> payload) {
    HintHook.requestBegins(payload);
  }

  @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
  static void exit(
      @Advice.Argument(3) @Nullable Map<String, ByteBuffer> payload,
      @Advice.Return(typing = Assigner.Typing.DYNAMIC) @Nullable Object answer) {
    HintHook.requestEnds(payload, answer);
  }
}
