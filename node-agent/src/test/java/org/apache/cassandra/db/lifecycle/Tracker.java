package org.apache.cassandra.db.lifecycle;

import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.utils.Pair;

/** A stand-in for Cassandra's class. */
public class Tracker {
  public final ColumnFamilyStore cfstore;
  private volatile View view = new View(Set.of());

  public Tracker(ColumnFamilyStore cfstore) {
    this.cfstore = cfstore;
  }

  public View getView() {
    return view;
  }

  Throwable apply(Function<View, View> change, Throwable accumulate) {
    apply(each -> true, change);
    return accumulate;
  }

  Pair<View, View> apply(Predicate<View> permit, Function<View, View> change) {
    View before = view;
    if (permit.test(before)) {
      view = change.apply(before);
    }
    return new Pair<>(before, view);
  }

  public void show(Set<SSTableReader> sstables) {
    apply(each -> true, each -> new View(sstables));
  }
}
