package io.sluice.load;

import com.datastax.oss.driver.api.core.metadata.token.Token;
import org.jspecify.annotations.Nullable;

/**
 * The range of a scan.
 *
 * @param from the first token, inclusive; null: the whole ring's
 * @param to the last token, inclusive; null: the whole ring's
 * @param limit at most this many rows
 */
public record ScanRange(@Nullable Token from, @Nullable Token to, int limit) {
  /** Everything there is. */
  public static ScanRange whole() {
    return new ScanRange(null, null, Integer.MAX_VALUE);
  }
}
