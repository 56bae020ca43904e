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
  /** CREATE, ALTER, DROP and TRUNCATE of keyspaces, tables and what belongs to them. */
  SCHEMA,
  /** What is none of these, roles and permissions for example, or is not understood. */
  OTHER;

  /** The class of a statement; null for one that no rule is about: system tables and USE. */
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
