package org.apache.cassandra.service;

import java.util.concurrent.Callable;

/** Creates the tasks that load saved caches, with class names like Cassandra's. */
public final class CacheService {
  private CacheService() {}

  /** Returns a task of Cassandra 4.0 and 4.1. */
  public static Callable<Object> load() {
    return Serializer.load();
  }

  /** Returns a task of later versions. */
  public static Callable<Object> loadByLambda() {
    return Serializer.loadByLambda();
  }

  private static final class Serializer {
    static Callable<Object> load() {
      return new Callable<Object>() {
        @Override
        public Object call() {
          return "loaded";
        }
      };
    }

    static Callable<Object> loadByLambda() {
      return () -> "loaded";
    }
  }
}
