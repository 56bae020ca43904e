package io.sluice.agent;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import io.sluice.agent.hook.JoinHook;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.asm.AsmVisitorWrapper;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.matcher.ElementMatcher;
import net.bytebuddy.matcher.ElementMatchers;
import org.jspecify.annotations.Nullable;

/** Reports which thread writes for which stream receiver. */
final class IncomingFileClassHook implements ClassHook {
  private static final ElementMatcher.Junction<MethodDescription> READS =
      ElementMatchers.<MethodDescription>named("read").and(takesArguments(2));

  @Override
  public String className() {
    return "org.apache.cassandra.db.streaming.CassandraIncomingFile";
  }

  @Override
  public @Nullable String misfit(TypeDescription type) {
    for (String each : new String[] {"session", "header"}) {
      if (type.getDeclaredFields().filter(named(each)).isEmpty()) {
        return "it has no '" + each + "'";
      }
    }
    return type.getDeclaredMethods().filter(READS).size() == 1 ? null : "it has no 'read'";
  }

  @Override
  public AsmVisitorWrapper change() {
    return Advice.to(IncomingFileAdvice.class).on(READS);
  }

  /** Copied around the method that reads a file from a stream and writes its SSTable. */
  static final class IncomingFileAdvice {
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
}
