package io.sluice.agent;

import io.sluice.agent.hook.AgentLog;
import java.lang.instrument.ClassFileTransformer;
import java.nio.charset.StandardCharsets;
import java.security.ProtectionDomain;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.dynamic.scaffold.TypeValidation;
import net.bytebuddy.pool.TypePool;
import org.jspecify.annotations.Nullable;

/**
 * Changes the classes that have a hook when they are loaded, and when another tool redefines them:
 * its class file has no hook. All other classes, and classes that are not as expected, stay
 * unchanged. Safe for any thread.
 */
final class ClassHooks implements ClassFileTransformer {
  /** The package that a changed class calls, as its class file names it. */
  private static final String CALLED = "io/sluice/agent/hook/";

  private final Map<String, ClassHook> hooks = new HashMap<>();

  ClassHooks(List<ClassHook> hooks) {
    hooks.forEach(each -> this.hooks.put(each.className().replace('.', '/'), each));
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      @Nullable String className,
      @Nullable Class<?> loaded,
      @Nullable ProtectionDomain domain,
      byte[] classFile) {
    ClassHook hook = className == null ? null : hooks.get(className);
    if (hook == null || (loaded != null && hasHook(classFile))) {
      return null;
    }
    try {
      return changed(hook, loader, classFile);
    } catch (Throwable e) {
      AgentLog.warn(hook.className() + " cannot be changed: the node runs as without the agent", e);
      hook.onMisfit();
      return null;
    }
  }

  /** Whether a tool redefines a class with a class file that it has got from this JVM. */
  private static boolean hasHook(byte[] classFile) {
    return new String(classFile, StandardCharsets.ISO_8859_1).contains(CALLED);
  }

  private static byte @Nullable [] changed(
      ClassHook hook, @Nullable ClassLoader loader, byte[] classFile) {
    ClassFileLocator locator =
        new ClassFileLocator.Compound(
            ClassFileLocator.Simple.of(hook.className(), classFile),
            ClassFileLocator.ForClassLoader.of(loader));
    TypeDescription type = TypePool.Default.of(locator).describe(hook.className()).resolve();
    String misfit = hook.misfit(type);
    if (misfit != null) {
      AgentLog.warn(
          hook.className() + " is not as expected, " + misfit + ": it is not changed", null);
      hook.onMisfit();
      return null;
    }
    return new ByteBuddy()
        .with(TypeValidation.DISABLED)
        .decorate(type, locator)
        .visit(hook.change())
        .make()
        .getBytes();
  }
}
