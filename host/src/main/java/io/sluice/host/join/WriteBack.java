package io.sluice.host.join;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The limits for dirty pages in memory.
 *
 * @param backgroundRatio percent of free memory and page cache that may be dirty before the kernel
 *     starts to write
 * @param ratio percent at which writers must wait
 * @param expireSeconds age at which the kernel writes a page
 * @param intervalSeconds interval at which the kernel looks for such pages
 */
public record WriteBack(int backgroundRatio, int ratio, int expireSeconds, int intervalSeconds) {
  private static final String VM = "/proc/sys/vm/";

  public WriteBack {
    if (backgroundRatio < 1 || ratio > 90 || backgroundRatio >= ratio) {
      throw new IllegalArgumentException(
          "dirty ratios must be 1 <= --dirty-background-ratio < --dirty-ratio <= 90");
    }
    if (expireSeconds < 1 || intervalSeconds < 1) {
      throw new IllegalArgumentException("--expire-seconds, --interval-seconds: at least 1");
    }
  }

  /** Returns the values by file. */
  Map<String, String> values() {
    Map<String, String> values = new LinkedHashMap<>();
    values.put(VM + "dirty_background_ratio", Integer.toString(backgroundRatio));
    values.put(VM + "dirty_ratio", Integer.toString(ratio));
    values.put(VM + "dirty_expire_centisecs", Integer.toString(100 * expireSeconds));
    values.put(VM + "dirty_writeback_centisecs", Integer.toString(100 * intervalSeconds));
    return values;
  }
}
