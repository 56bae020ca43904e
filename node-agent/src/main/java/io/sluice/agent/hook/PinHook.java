package io.sluice.agent.hook;

import io.sluice.agent.pin.Pin;
import io.sluice.agent.pin.PinSettings;
import org.jspecify.annotations.Nullable;

/**
 * Called when a table's SSTables change and when one is deleted. Safe for any thread. No method
 * throws.
 */
public final class PinHook {
  private static volatile @Nullable Pin pin;

  private PinHook() {}

  /** Enables {@code pin}. Must be called before the first table is opened. */
  public static void prepare(PinSettings settings) {
    try {
      pin = new Pin(settings, new PinBeans());
    } catch (Throwable e) {
      AgentLog.warn("index files are not kept in memory, the agent failed", e);
    }
  }

  /**
   * Ends {@code pin}, because a class stays without its hook and a deletion might be missed. The
   * log already has the reason.
   */
  public static void misfit() {
    end(null, null);
  }

  /** Notes that the table of this tracker has other SSTables than before. */
  public static void changed(Object tracker) {
    Pin current = pin;
    if (current != null) {
      try {
        current.changed(tracker);
      } catch (Throwable e) {
        end("the agent failed", e);
      }
    }
  }

  /** Notes that the files of the SSTable with this descriptor are about to be deleted. */
  public static void deleting(Object descriptor) {
    Pin current = pin;
    if (current != null) {
      try {
        current.deleting(descriptor.toString());
      } catch (Throwable e) {
        end("the agent failed", e);
      }
    }
  }

  private static void end(@Nullable String why, @Nullable Throwable cause) {
    Pin current = pin;
    pin = null;
    if (current != null) {
      try {
        current.end(why, cause);
      } catch (Throwable e) {
        AgentLog.warn("index files may stay in memory", e);
      }
    }
  }
}
