package io.sluice.agent;

import static net.bytebuddy.matcher.ElementMatchers.isStatic;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import io.sluice.agent.hook.JoinHook;
import java.nio.channels.FileChannel;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.asm.AsmVisitorWrapper;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.matcher.ElementMatcher;
import net.bytebuddy.matcher.ElementMatchers;
import org.jspecify.annotations.Nullable;

/** Defers syncs of the folders of SSTables, and of files that a method writes as a whole. */
final class SyncClassHook implements ClassHook {
  private static final ElementMatcher.Junction<MethodDescription> SYNCS =
      ElementMatchers.<MethodDescription>named("trySyncDir").and(takesArguments(1)).and(isStatic());
  private static final ElementMatcher.Junction<MethodDescription> FORCES =
      ElementMatchers.<MethodDescription>named("force")
          .and(takesArguments(FileChannel.class, boolean.class))
          .and(isStatic());

  @Override
  public String className() {
    return "org.apache.cassandra.utils.SyncUtil";
  }

  @Override
  public @Nullable String misfit(TypeDescription type) {
    return type.getDeclaredMethods().filter(SYNCS).size() == 1 ? null : "it has no 'trySyncDir'";
  }

  @Override
  public AsmVisitorWrapper change() {
    return new AsmVisitorWrapper.Compound(
        Advice.to(FolderSyncAdvice.class).on(SYNCS), Advice.to(ForceAdvice.class).on(FORCES));
  }

  /**
   * Copied to the start of the method of {@code SyncUtil} that syncs a folder. May skip the method.
   */
  static final class FolderSyncAdvice {
    private FolderSyncAdvice() {}

    @Advice.OnMethodEnter(suppress = Throwable.class, skipOn = Advice.OnNonDefaultValue.class)
    static boolean enter(@Advice.Argument(0) Object folder) {
      return JoinHook.putsOffFolder(folder);
    }
  }

  /**
   * Copied to the start of the method of {@code SyncUtil} that syncs a channel. May skip the
   * method.
   */
  static final class ForceAdvice {
    private ForceAdvice() {}

    @Advice.OnMethodEnter(suppress = Throwable.class, skipOn = Advice.OnNonDefaultValue.class)
    static boolean enter() {
      return JoinHook.putsOffWritten();
    }
  }
}
