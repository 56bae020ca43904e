package io.sluice;

import io.sluice.decide.divide.FleetView;
import io.sluice.decide.rule.Rules;
import io.sluice.decide.schedule.FleetSlots;
import io.sluice.decide.schedule.RangePart;
import io.sluice.exchange.ProxyContext;
import io.sluice.exchange.range.PieceHomes;
import io.sluice.fleet.Homes;
import io.sluice.fleet.PeerWatch;
import io.sluice.fleet.PeerWatch.Heartbeats;
import io.sluice.ring.Node;
import io.sluice.watch.FleetTables;
import org.jspecify.annotations.Nullable;

/**
 * This proxy as a member of its fleet: it finds the other proxies, and divides with them the limits
 * of rules and the range slots of nodes. A proxy may be alone.
 *
 * @param peers finds the other proxies
 * @param homes the links to the home proxies of pieces; null without homes
 */
record FleetMember(PeerWatch peers, @Nullable PieceHomes homes) implements AutoCloseable {

  /**
   * Joins the fleet.
   *
   * @param tables the tables of the fleet; null without
   */
  static FleetMember join(
      ProxyConfig config,
      ClusterState state,
      ProxyContext context,
      @Nullable FleetTables tables,
      @Nullable PieceHomes homes) {
    boolean divides = config.fleet().keyspace() && tables != null;
    if (divides) {
      context.rules().inFleet();
    }
    // With homes, the range reads of a node wait in one queue.
    FleetSlots slots = divides && homes == null ? FleetSlots.of(state.scheduler()) : null;
    PeerWatch peers =
        PeerWatch.begin(
            config.fleet(),
            tables == null ? null : tables.proxies(),
            config.cluster().credentials(),
            change -> {
              context.settings().updateAndGet(now -> now.withPeers(change.all()));
              state.events().changed(change);
            },
            new Homes.Listener(
                () -> context.view().ring().local().stream().map(Node::id).toList(),
                present -> {
                  context.settings().updateAndGet(now -> now.withHomes(present));
                  state.scheduler().rangeParts(node -> RangePart.pastHome(present.sharing(node)));
                }),
            new Divided(context.rules(), slots));
    state.meters().fleet(peers::facts);
    if (slots != null) {
      state.meters().rangePart(slots::part);
    }
    return new FleetMember(peers, homes);
  }

  @Override
  public void close() {
    peers.close();
    if (homes != null) {
      homes.close();
    }
  }

  /**
   * Exchanges demand and parts between the heartbeats of the fleet and what is divided: the limits
   * of rules, and the range slots of nodes, which are null where they are not divided.
   */
  private record Divided(Rules rules, @Nullable FleetSlots slots) implements Heartbeats {

    @Override
    public String text(long beat) {
      String limits = rules.fleetText(beat);
      return slots == null ? limits : limits + slots.entry(beat);
    }

    @Override
    public void received(Look look) {
      FleetView view = new FleetView(look.self(), look.beat(), look.others());
      rules.fleetReceived(view);
      if (slots != null) {
        slots.received(view);
      }
    }

    @Override
    public void othersUnreachable(int members) {
      rules.fleetUnreachable(members);
      if (slots != null) {
        slots.othersUnreachable(members);
      }
    }
  }
}
