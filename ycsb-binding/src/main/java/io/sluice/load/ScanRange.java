package io.sluice.load;

import com.datastax.oss.driver.api.core.metadata.token.Token;
import org.jspecify.annotations.Nullable;

/**
 * The range of a scan.
 *
 * @param from first token, inclusive; null for the beginning of the ring
 * @param to last token, inclusive; null for the end of the ring
 * @param limit most rows
 */
public record ScanRange(@Nullable Token from, @Nullable Token to, int limit) {
  /** Returns the range of all rows. */
  public static ScanRange whole() {
    return new ScanRange(null, null, Integer.MAX_VALUE);
  }
}
