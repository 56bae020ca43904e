package io.sluice.agent;

import net.bytebuddy.asm.AsmVisitorWrapper;
import net.bytebuddy.description.type.TypeDescription;
import org.jspecify.annotations.Nullable;

/** The change to one class of Cassandra. */
interface ClassHook {
  /** The class, by its exact name. */
  String className();

  /** What the class lacks for the hook to fit, in words; null if it fits. */
  @Nullable String misfit(TypeDescription type);

  /** The change. */
  AsmVisitorWrapper change();

  /** The class stays as it is: what relies on the hook must not begin, or must end. */
  default void unfit() {}
}
