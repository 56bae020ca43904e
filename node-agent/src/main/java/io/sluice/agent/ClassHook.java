package io.sluice.agent;

import net.bytebuddy.asm.AsmVisitorWrapper;
import net.bytebuddy.description.type.TypeDescription;
import org.jspecify.annotations.Nullable;

/** A change of one class of Cassandra. */
interface ClassHook {
  /** Returns the exact name of the class. */
  String className();

  /** Returns why the class is not as the hook expects, as a clause; null if it is. */
  @Nullable String misfit(TypeDescription type);

  /** Returns the change. */
  AsmVisitorWrapper change();

  /**
   * Reacts when the class is not changed: code that relies on the hook must not start, or must
   * stop.
   */
  default void onMisfit() {}
}
