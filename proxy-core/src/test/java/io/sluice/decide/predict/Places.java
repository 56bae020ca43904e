package io.sluice.decide.predict;

import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import org.jspecify.annotations.Nullable;

/** Tokens by their place on the ring, from 0 to 1. */
final class Places {

  private Places() {}

  static @Nullable Token at(double place) {
    return place <= 0 || place >= 1 ? null : new Token.Murmur3((long) ((place - 0.5) * 0x1p64));
  }

  static TokenRange between(double from, double to) {
    return new TokenRange(at(from), at(to));
  }
}
