package io.sluice.agent;

import static net.bytebuddy.matcher.ElementMatchers.named;

import io.sluice.agent.hook.MessageAdvice;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.asm.AsmVisitorWrapper;
import net.bytebuddy.description.type.TypeDescription;
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
}
