package io.sluice.torture.load;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.sluice.torture.check.Level;

/** Maps the checker's levels to Cassandra's. */
final class Levels {
  private Levels() {}

  static DefaultConsistencyLevel of(Level level) {
    return level == Level.QUORUM
        ? DefaultConsistencyLevel.QUORUM
        : DefaultConsistencyLevel.LOCAL_ONE;
  }
}
