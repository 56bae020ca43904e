package io.sluice.console;

import io.sluice.audit.AuditLog;
import io.sluice.decide.classify.BoundValues;
import io.sluice.decide.classify.OwnStatement;
import io.sluice.exchange.NodeHealth;
import io.sluice.execute.table.NotAnswerable;
import io.sluice.execute.table.TableQuery;
import io.sluice.ring.NodeId;
import io.sluice.wire.RowSet;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** UPDATE of {@code nodes}: makes reads avoid a node, or ends that. */
record NodeChange(NodeHealth health, AuditLog audit) implements RowChange {

  static final String NODE = "node";
  static final String HOST_ID = "host_id";
  static final String STATE = "state";
  static final String AVOID = "avoid";
  static final String NORMAL = "normal";

  private static final Logger LOG = LoggerFactory.getLogger(NodeChange.class);

  @Override
  public void apply(
      Asker asker,
      OwnStatement.Change change,
      BoundValues values,
      RowSet rows,
      Consumer<@Nullable String> then)
      throws NotAnswerable {
    Map<String, @Nullable String> set = TableQuery.assigned(change.assignments(), rows, values);
    String state = set.size() == 1 ? set.get(STATE) : null;
    if (state == null || !(state.equals(AVOID) || state.equals(NORMAL))) {
      then.accept("system_proxy.nodes accepts only an UPDATE of state to 'avoid' or 'normal'");
      return;
    }
    List<String> names = TableQuery.texts(rows, NODE);
    if (names.isEmpty()) {
      then.accept(
          "No node meets the condition: SELECT node FROM system_proxy.nodes shows all nodes");
      return;
    }
    names.forEach(name -> audit.changes().changed(asker.name(), "node", name, state, null));
    LOG.warn("{} has set the state of node {} to {}", asker.name(), names, state);
    TableQuery.uuids(rows, HOST_ID)
        .forEach(node -> health.avoid(new NodeId(node), state.equals(AVOID)));
    then.accept(null);
  }
}
