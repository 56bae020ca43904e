package io.sluice.watch;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.metadata.schema.FunctionSignature;
import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import io.sluice.wire.SchemaChange;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Computes the differences of two schemas as schema changes, in Cassandra's order: a dropped
 * keyspace comes after its contents, a created one before. Stateless.
 */
final class SchemaDifferences {

  private static final String CREATED = "CREATED";
  private static final String UPDATED = "UPDATED";
  private static final String DROPPED = "DROPPED";

  private SchemaDifferences() {}

  /** A keyspace, or an object in it. */
  private record Named(
      String target, String keyspace, @Nullable String name, List<String> arguments) {

    SchemaChange changed(String type) {
      return new SchemaChange(type, target, keyspace, name, arguments);
    }
  }

  /** Returns the changes that turn {@code before} into {@code after}. */
  static List<SchemaChange> between(
      Map<CqlIdentifier, KeyspaceMetadata> before, Map<CqlIdentifier, KeyspaceMetadata> after) {
    List<SchemaChange> changes = new ArrayList<>();
    before.forEach(
        (name, keyspace) -> {
          if (!after.containsKey(name)) {
            compare(objects(keyspace), Map.of(), changes);
          }
        });
    after.forEach(
        (name, keyspace) -> {
          KeyspaceMetadata old = before.get(name);
          if (!keyspace.equals(old)) {
            compare(old == null ? Map.of() : objects(old), objects(keyspace), changes);
          }
        });
    return changes;
  }

  private static void compare(
      Map<Named, Object> before, Map<Named, Object> after, List<SchemaChange> changes) {
    List<Named> dropped = new ArrayList<>(before.keySet());
    dropped.removeAll(after.keySet());
    Collections.reverse(dropped);
    dropped.forEach(object -> changes.add(object.changed(DROPPED)));
    after.forEach(
        (object, state) -> {
          Object old = before.get(object);
          if (!state.equals(old)) {
            changes.add(object.changed(old == null ? CREATED : UPDATED));
          }
        });
  }

  /**
   * Returns the keyspace and all objects in it. An object comes after those on which it depends.
   */
  private static Map<Named, Object> objects(KeyspaceMetadata keyspace) {
    String in = keyspace.getName().asInternal();
    Map<Named, Object> objects = new LinkedHashMap<>();
    objects.put(
        new Named("KEYSPACE", in, null, List.of()),
        List.of(keyspace.getReplication(), keyspace.isDurableWrites()));
    keyspace.getUserDefinedTypes().forEach((name, type) -> objects.put(type(in, name), type));
    keyspace.getTables().forEach((name, table) -> objects.put(table(in, name), table));
    keyspace.getViews().forEach((name, view) -> objects.put(table(in, name), view));
    keyspace.getFunctions().forEach((name, f) -> objects.put(signed("FUNCTION", in, name), f));
    keyspace.getAggregates().forEach((name, a) -> objects.put(signed("AGGREGATE", in, name), a));
    return objects;
  }

  private static Named type(String keyspace, CqlIdentifier name) {
    return new Named("TYPE", keyspace, name.asInternal(), List.of());
  }

  private static Named table(String keyspace, CqlIdentifier name) {
    return new Named("TABLE", keyspace, name.asInternal(), List.of());
  }

  private static Named signed(String target, String keyspace, FunctionSignature signature) {
    List<String> arguments =
        signature.getParameterTypes().stream().map(each -> each.asCql(false, false)).toList();
    return new Named(target, keyspace, signature.getName().asInternal(), arguments);
  }
}
