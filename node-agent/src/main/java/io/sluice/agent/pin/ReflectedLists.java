package io.sluice.agent.pin;

import java.io.File;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads Cassandra's {@code Tracker} by reflection. Safe for any thread. */
final class ReflectedLists implements SSTableLists {
  private static final String READER = "org.apache.cassandra.io.sstable.format.SSTableReader";
  private static final String DATA = "Data.db";

  /** The open reason of an SSTable that is still being written. */
  private static final String EARLY = "EARLY";

  @Override
  public @Nullable SSTableListing of(Object tracker) throws ReflectiveOperationException {
    Object store = field(tracker, "cfstore");
    if (store == null) {
      return null;
    }
    Object keyspace = call(required(field(store, "keyspace"), "keyspace"), "getName");
    Object name = required(field(store, "name"), "name");
    Object view = call(tracker, "getView");
    Class<?> readers = Class.forName(READER, true, tracker.getClass().getClassLoader());
    Method filename = readers.getMethod("getFilename");
    Field reason = readers.getField("openReason");
    List<String> prefixes = new ArrayList<>();
    for (Object each : (Iterable<?>) call(view, "liveSSTables")) {
      String data = String.valueOf(filename.invoke(each));
      if (!EARLY.equals(String.valueOf(reason.get(each))) && data.endsWith(DATA)) {
        String path = new File(data).getAbsolutePath();
        prefixes.add(path.substring(0, path.length() - DATA.length()));
      }
    }
    return new SSTableListing(String.valueOf(keyspace), String.valueOf(name), prefixes);
  }

  private static @Nullable Object field(Object owner, String name)
      throws ReflectiveOperationException {
    return owner.getClass().getField(name).get(owner);
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
