package io.sluice.agent;

import static net.bytebuddy.matcher.ElementMatchers.isStatic;
import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.not;
import static net.bytebuddy.matcher.ElementMatchers.takesArgument;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import io.sluice.agent.hook.HintHook;
import java.nio.ByteBuffer;
import java.util.Map;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.asm.AsmVisitorWrapper;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.implementation.bytecode.assign.Assigner;
import net.bytebuddy.matcher.ElementMatcher;
import net.bytebuddy.matcher.ElementMatchers;
import org.jspecify.annotations.Nullable;

/** Reads a request's hint from its custom payload, and keeps it while the request runs. */
final class RequestClassHook implements ClassHook {
  private static final ElementMatcher.Junction<MethodDescription> TAKES_PAYLOAD =
      ElementMatchers.<MethodDescription>named("process")
          .or(named("processPrepared"))
          .and(not(isStatic()))
          .and(takesArguments(5))
          .and(takesArgument(3, Map.class));

  @Override
  public String className() {
    return "org.apache.cassandra.cql3.QueryProcessor";
  }

  @Override
  public @Nullable String misfit(TypeDescription type) {
    int found = type.getDeclaredMethods().filter(TAKES_PAYLOAD).size();
    return found == 2 ? null : found + " methods take a request's payload instead of 2";
  }

  @Override
  public AsmVisitorWrapper change() {
    return Advice.to(RequestAdvice.class).on(TAKES_PAYLOAD);
  }

  /** Copied around the methods of {@code QueryProcessor} that take a request with its payload. */
  static final class RequestAdvice {
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
}
