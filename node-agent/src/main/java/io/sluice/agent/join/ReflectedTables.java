package io.sluice.agent.join;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Access to Cassandra's tables by reflection. Safe for any thread. */
final class ReflectedTables implements CompactedTables {
  private static final String MANAGER = "org.apache.cassandra.db.compaction.CompactionManager";

  @Override
  public String keyspaceOf(Object table) throws ReflectiveOperationException {
    Object keyspace = table.getClass().getField("keyspace").get(table);
    return String.valueOf(call(required(keyspace, "keyspace"), "getName"));
  }

  @Override
  public int sstablesOf(Object table) throws ReflectiveOperationException {
    return ((Collection<?>) call(table, "getLiveSSTables")).size();
  }

  @Override
  public void submit(Object table) throws ReflectiveOperationException {
    Class<?> type = table.getClass();
    Class<?> managers = Class.forName(MANAGER, true, type.getClassLoader());
    managers
        .getMethod("submitBackground", type)
        .invoke(managers.getField("instance").get(null), table);
  }

  private static Object call(Object owner, String method) throws ReflectiveOperationException {
    return required(owner.getClass().getMethod(method).invoke(owner), method);
  }

  private static Object required(@Nullable Object value, String name) throws NoSuchFieldException {
    if (value == null) {
      throw new NoSuchFieldException(name + " is null");
    }
    return value;
  }
}
