package io.sluice.host.join;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The limits up to which written pages stay in memory.
 *
 * @param backgroundRatio percent of free memory and page cache that may be dirty before the kernel
 *     begins to write
 * @param ratio percent at which writers must wait
 * @param expireSeconds age at which a page is written
 * @param intervalSeconds time between two looks for such pages
 */
public record WriteBack(int backgroundRatio, int ratio, int expireSeconds, int intervalSeconds) {
  private static final String VM = "/proc/sys/vm/";

  public WriteBack {
    if (backgroundRatio < 1 || ratio > 90 || backgroundRatio >= ratio) {
      throw new IllegalArgumentException(
          "of dirty pages, 1 <= background ratio < ratio <= 90 percent");
    }
    if (expireSeconds < 1 || intervalSeconds < 1) {
      throw new IllegalArgumentException("times are at least a second");
    }
  }

  /** The values by file. */
  Map<String, String> values() {
    Map<String, String> values = new LinkedHashMap<>();
    values.put(VM + "dirty_background_ratio", Integer.toString(backgroundRatio));
    values.put(VM + "dirty_ratio", Integer.toString(ratio));
    values.put(VM + "dirty_expire_centisecs", Integer.toString(100 * expireSeconds));
    values.put(VM + "dirty_writeback_centisecs", Integer.toString(100 * intervalSeconds));
    return values;
  }
}
