package io.sluice.wire;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One change of the schema, in the words of a SCHEMA_CHANGE event.
 *
 * @param type CREATED, UPDATED or DROPPED
 * @param target KEYSPACE, TABLE, TYPE, FUNCTION or AGGREGATE
 * @param keyspace the keyspace
 * @param name what in it changed, or null if the target is the keyspace
 * @param arguments the argument types of a function or aggregate, else empty
 */
public record SchemaChange(
    String type, String target, String keyspace, @Nullable String name, List<String> arguments) {

  private static final int FIRST_WITH_FUNCTIONS = 4;

  public SchemaChange {
    arguments = List.copyOf(arguments);
  }

  /** The same as {@code version} can say it: v3, without functions, has their keyspace updated. */
  SchemaChange in(int version) {
    boolean unheardOf = target.equals("FUNCTION") || target.equals("AGGREGATE");
    return version < FIRST_WITH_FUNCTIONS && unheardOf
        ? new SchemaChange("UPDATED", "KEYSPACE", keyspace, null, List.of())
        : this;
  }
}
