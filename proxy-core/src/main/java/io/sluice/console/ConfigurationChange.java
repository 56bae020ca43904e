package io.sluice.console;

import io.sluice.decide.classify.BoundValues;
import io.sluice.decide.classify.OwnStatement;
import io.sluice.execute.table.NotAnswerable;
import io.sluice.execute.table.TableQuery;
import io.sluice.wire.RowSet;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** UPDATE of {@code configuration}: reads the file again. */
record ConfigurationChange(HostView host) implements RowChange {

  static final String STATE = "state";
  static final String RELOAD = "reload";

  @Override
  public void apply(
      Asker asker,
      OwnStatement.Change change,
      BoundValues values,
      RowSet rows,
      Consumer<@Nullable String> then)
      throws NotAnswerable {
    Map<String, @Nullable String> set = TableQuery.assigned(change.assignments(), rows, values);
    if (set.size() != 1 || !RELOAD.equals(set.get(STATE))) {
      then.accept("system_proxy.configuration accepts only an UPDATE of state to 'reload'");
    } else if (rows.rows().isEmpty()) {
      then.accept(
          "The configuration file is another one: SELECT file FROM system_proxy.configuration"
              + " shows it");
    } else {
      host.reload(asker.name(), refusal -> asker.lane().run(() -> then.accept(refusal)));
    }
  }
}
