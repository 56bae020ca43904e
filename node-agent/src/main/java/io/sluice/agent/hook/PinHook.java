package io.sluice.agent.hook;

import io.sluice.agent.pin.Pin;
import io.sluice.agent.pin.PinSettings;
import org.jspecify.annotations.Nullable;

/**
 * Called where a table's SSTables change and where one is deleted. Safe for any thread. Nothing
 * here throws.
 */
public final class PinHook {
  private static volatile @Nullable Pin pin;

  private PinHook() {}

  /** Must come before the first table is opened; without it nothing is pinned. */
  public static void prepare(PinSettings settings) {
    try {
      pin = new Pin(settings, new CassandraBeans());
    } catch (Throwable e) {
      AgentLog.warn("index files are not kept in memory, it failed", e);
    }
  }

  /**
   * A class stays without its hook, which has been told: what is deleted might be missed, so that
   * the room ends.
   */
  public static void misfit() {
    end(null, null);
  }

  /** The table of this tracker has other SSTables than before. */
  public static void changed(Object tracker) {
    Pin its = pin;
    if (its != null) {
      try {
        its.changed(tracker);
      } catch (Throwable e) {
        end("it failed", e);
      }
    }
  }

  /** The files of the SSTable with this descriptor are about to be deleted. */
  public static void deleting(Object descriptor) {
    Pin its = pin;
    if (its != null) {
      try {
        its.deleting(descriptor.toString());
      } catch (Throwable e) {
        end("it failed", e);
      }
    }
  }

  private static void end(@Nullable String why, @Nullable Throwable cause) {
    Pin its = pin;
    pin = null;
    if (its != null) {
      try {
        its.end(why, cause);
      } catch (Throwable e) {
        AgentLog.warn("index files may stay in memory", e);
      }
    }
  }
}
