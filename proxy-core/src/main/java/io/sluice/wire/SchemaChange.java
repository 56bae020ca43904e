package io.sluice.wire;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A schema change, in the terms of a SCHEMA_CHANGE event. Immutable.
 *
 * @param type CREATED, UPDATED or DROPPED
 * @param target KEYSPACE, TABLE, TYPE, FUNCTION or AGGREGATE
 * @param keyspace the changed keyspace, or the keyspace of the target
 * @param name the name of the changed target, or null for a keyspace
 * @param arguments the argument types of a function or aggregate, else empty
 */
public record SchemaChange(
    String type, String target, String keyspace, @Nullable String name, List<String> arguments) {

  public SchemaChange {
    arguments = List.copyOf(arguments);
  }

  /**
   * Returns the change in the form of {@code version}. In v3, which lacks functions, it is an
   * update of their keyspace.
   */
  SchemaChange in(int version) {
    boolean newInV4 = target.equals("FUNCTION") || target.equals("AGGREGATE");
    return version < ProtocolVersion.FUNCTIONS && newInV4
        ? new SchemaChange("UPDATED", "KEYSPACE", keyspace, null, List.of())
        : this;
  }
}
