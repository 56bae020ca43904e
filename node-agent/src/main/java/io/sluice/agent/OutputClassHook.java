package io.sluice.agent;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.returns;
import static net.bytebuddy.matcher.ElementMatchers.takesArgument;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;
import static net.bytebuddy.matcher.ElementMatchers.takesNoArguments;

import io.sluice.agent.hook.JoinHook;
import java.nio.channels.FileChannel;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.asm.AsmVisitorWrapper;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.matcher.ElementMatcher;
import net.bytebuddy.matcher.ElementMatchers;
import org.jspecify.annotations.Nullable;

/** Defers syncs of the smaller components of SSTables, in 4.1 and later. */
final class OutputClassHook implements ClassHook {
  private static final ElementMatcher.Junction<MethodDescription> OPENS =
      ElementMatchers.<MethodDescription>isConstructor()
          .and(takesArguments(2))
          .and(takesArgument(0, named("org.apache.cassandra.io.util.File")));
  private static final ElementMatcher.Junction<MethodDescription> SYNCS =
      ElementMatchers.<MethodDescription>named("sync").and(takesNoArguments());
  private static final ElementMatcher.Junction<MethodDescription> CHANNEL =
      ElementMatchers.<MethodDescription>named("getChannel")
          .and(takesNoArguments())
          .and(returns(FileChannel.class));

  @Override
  public String className() {
    return "org.apache.cassandra.io.util.FileOutputStreamPlus";
  }

  @Override
  public @Nullable String misfit(TypeDescription type) {
    if (type.getDeclaredMethods().filter(OPENS).size() != 1) {
      return "it has no constructor that opens a file";
    }
    return type.getDeclaredMethods().filter(SYNCS).size() == 1 ? null : "it has no 'sync'";
  }

  @Override
  public AsmVisitorWrapper change() {
    return new AsmVisitorWrapper.Compound(
        Advice.to(OutputAdvice.class).on(OPENS),
        Advice.to(OutputSyncAdvice.class).on(SYNCS),
        Advice.to(ChannelAdvice.class).on(CHANNEL));
  }

  /** Copied to the end of the constructor of {@code FileOutputStreamPlus} that opens the file. */
  static final class OutputAdvice {
    private OutputAdvice() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.This Object stream, @Advice.Argument(0) Object file) {
      JoinHook.opens(stream, file);
    }
  }

  /**
   * Copied to the start of the method of {@code FileOutputStreamPlus} that syncs. May skip the
   * method.
   */
  static final class OutputSyncAdvice {
    private OutputSyncAdvice() {}

    @Advice.OnMethodEnter(suppress = Throwable.class, skipOn = Advice.OnNonDefaultValue.class)
    static boolean enter(@Advice.This Object stream) {
      return JoinHook.putsOff(stream, null);
    }
  }

  /**
   * Copied to the end of the method of {@code FileOutputStreamPlus} that returns its channel. May
   * replace the channel by one that does not sync.
   */
  static final class ChannelAdvice {
    private ChannelAdvice() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    @SuppressWarnings({"UnusedVariable", "ParameterReassignment"}) // the method returns this value
    static void exit(@Advice.Return(readOnly = false) FileChannel channel) {
      channel = JoinHook.channel(channel);
    }
  }
}
