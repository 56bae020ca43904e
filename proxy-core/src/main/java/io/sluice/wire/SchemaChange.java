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

  public SchemaChange {
    arguments = List.copyOf(arguments);
  }
}
