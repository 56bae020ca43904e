package io.sluice.decide.rule;

import io.sluice.decide.classify.StatementShape;
import org.jspecify.annotations.Nullable;

/** The class of a request, as rules name it. */
public enum RuleClass {
  /** A SELECT that names its partition keys. */
  POINT,
  /** A SELECT over a token range or a whole table. */
  RANGE,
  /** INSERT, UPDATE, DELETE and BATCH. */
  WRITE,
  /** CREATE, ALTER, DROP and TRUNCATE of keyspaces, tables and the objects in them. */
  SCHEMA,
  /**
   * All other requests, for example about roles and permissions, and those that are not understood.
   */
  OTHER;

  /** Returns the class of a statement; null if rules do not apply to it: system tables and USE. */
  static @Nullable RuleClass of(StatementShape shape) {
    return switch (shape) {
      case POINT_READ, MULTI_POINT_READ -> POINT;
      case RANGE_READ -> RANGE;
      case WRITE -> WRITE;
      case SCHEMA, TRUNCATE -> SCHEMA;
      case OTHER -> OTHER;
      case USE, SYSTEM_LOCAL, NODE_LOCAL, PROXY -> null;
    };
  }

  /** Whether requests of this class wait in the queues of nodes. */
  boolean isRead() {
    return this == POINT || this == RANGE;
  }
}
