package io.sluice.exchange;

import io.sluice.execute.members.Members;
import io.sluice.execute.members.Members.ProxyMembers;
import io.sluice.execute.table.NotAnswerable;
import io.sluice.execute.table.TablePage;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.statement.Statement;
import io.sluice.wire.RowSet;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A SELECT from a table of the cluster's members, whose rows show the proxies in the nodes' place.
 * The rows are those of the time of the answer: the client may have received the event of a change
 * while the node was asked.
 *
 * @param connectedTo the address to which the client has connected
 */
record MembersTable(ProxyContext context, InetSocketAddress connectedTo, Statement statement)
    implements SharedTable {

  /** Returns the proxies, as the client sees them now. */
  private ProxyMembers members() {
    ExchangeConfig config = context.config();
    Ring ring = context.view().ring();
    return new ProxyMembers(
        context.cluster().clusterName(),
        ring.partitioner().className(),
        config.advertise() == null ? connectedTo : config.advertise(),
        config.peers(),
        node -> isServing(ring.node(new NodeId(node)), context.health()));
  }

  private static boolean isServing(@Nullable Node node, NodeHealth health) {
    return node != null && node.up() && health.isHealthy(node.id());
  }

  @Override
  public List<String> questions() {
    return Members.questions(statement.classified());
  }

  @Override
  public TablePage answer(List<RowSet> facts) throws NotAnswerable {
    RowSet rows =
        Members.answer(
            statement.classified(),
            statement.values(),
            members(),
            facts.get(0),
            facts.get(facts.size() - 1));
    return new TablePage(rows, null);
  }
}
