package io.sluice.agent;

import static net.bytebuddy.matcher.ElementMatchers.named;

import io.sluice.agent.hook.HintHook;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.asm.AsmVisitorWrapper;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.implementation.bytecode.assign.Assigner;
import org.jspecify.annotations.Nullable;

/** Forwards the hint of a range read to the other replicas. */
final class MessageClassHook implements ClassHook {
  private static final String METHOD = "createMessage";

  @Override
  public String className() {
    return "org.apache.cassandra.db.ReadCommand";
  }

  @Override
  public @Nullable String misfit(TypeDescription type) {
    return type.getDeclaredMethods().filter(named(METHOD)).size() == 1
        ? null
        : "it has no '" + METHOD + "'";
  }

  @Override
  public AsmVisitorWrapper change() {
    return Advice.to(MessageAdvice.class).on(named(METHOD));
  }

  /** Copied to the end of the method of {@code ReadCommand} that creates a message to a replica. */
  static final class MessageAdvice {
    private MessageAdvice() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    @SuppressWarnings({"UnusedVariable", "ParameterReassignment"}) // the method returns this value
    static void exit(
        @Advice.This Object command,
        @Advice.Return(readOnly = false, typing = Assigner.Typing.DYNAMIC) Object message) {
      message = HintHook.messageFor(command, message);
    }
  }
}
