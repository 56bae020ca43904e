package io.sluice.link;

import io.sluice.link.Link.LinkWaiter;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.time.Lane;
import io.sluice.wire.Identity;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Opens the links of one lane and keeps spare links. A spare link is logged in, but the node has
 * refused its keyspace. One is kept for each node, identity and version, and tries the next
 * keyspace. So a missing keyspace costs one USE and no login. For one identity only a few links
 * with a keyspace are opened at a node at once, and further openings wait. Not safe for several
 * threads: one lane.
 */
final class SpareLinks implements LinkOpener {

  /**
   * Links with a keyspace that are opened at once. A client may name many keyspaces, and none of
   * them may exist.
   */
  private static final int MAX_AT_ONCE = 4;

  private static final String STOPPING = "Sluice is stopping";

  private final LinkOpener opener;
  private final Map<Place, Link> spares = new HashMap<>();
  private final Map<Place, Turns> turns = new HashMap<>();
  private boolean closed;

  private record Place(NodeId node, Identity identity, int version) {}

  private record Opening(Lane lane, Node node, LinkKey key, LinkWaiter waiter) {

    Place place() {
      return new Place(node.id(), key.identity(), key.version());
    }
  }

  /** The openings of links with a keyspace at one place, in progress and waiting. */
  private static final class Turns {
    final Queue<Opening> waiting = new ArrayDeque<>();
    int inProgress;
  }

  SpareLinks(LinkOpener opener) {
    this.opener = opener;
  }

  @Override
  public void openReady(Lane lane, Node node, LinkKey key, LinkWaiter waiter) {
    if (key.keyspace() == null) {
      opener.openReady(lane, node, key, waiter);
      return;
    }
    Opening opening = new Opening(lane, node, key, waiter);
    Turns atPlace = turns.computeIfAbsent(opening.place(), place -> new Turns());
    if (atPlace.inProgress < MAX_AT_ONCE) {
      atPlace.inProgress++;
      open(opening, spares.remove(opening.place()));
    } else {
      atPlace.waiting.add(opening);
    }
  }

  private void open(Opening opening, @Nullable Link spare) {
    LinkWaiter keeper = new Keeper(opening);
    if (spare == null || !spare.isOpen()) {
      opener.openReady(opening.lane(), opening.node(), opening.key(), keeper);
      return;
    }
    NodeHandshake.use(
        spare,
        opening.key(),
        config(),
        opening.lane(),
        new LinkWaiter() {
          @Override
          public void ready(Link link) {
            keeper.ready(link);
          }

          /** Opens a new connection. A lost spare link says nothing about its node. */
          @Override
          public void failed(LinkFailure failure) {
            opener.openReady(opening.lane(), opening.node(), opening.key(), keeper);
          }

          @Override
          public void keyspaceRefused(Link loggedIn, LinkFailure failure) {
            keeper.keyspaceRefused(loggedIn, failure);
          }
        });
  }

  /**
   * Ends an opening and starts the next one, through the lane so that calls do not nest.
   *
   * @param spare a link without a keyspace for the next opening or to be kept; null for none
   */
  private void ended(Opening opening, @Nullable Link spare) {
    Turns atPlace = turns.get(opening.place());
    Opening next = atPlace == null ? null : atPlace.waiting.poll();
    if (next != null) {
      next.lane().execute(() -> openNext(next, spare));
      return;
    }
    if (atPlace != null && --atPlace.inProgress == 0) {
      turns.remove(opening.place());
    }
    if (spare != null) {
      keep(opening.place(), spare);
    }
  }

  private void openNext(Opening next, @Nullable Link spare) {
    if (!closed) {
      open(next, spare != null ? spare : spares.remove(next.place()));
    } else if (spare != null) {
      spare.close(STOPPING);
    }
  }

  private void keep(Place place, Link spare) {
    if (closed || spares.putIfAbsent(place, spare) != null) {
      spare.close("no more than one link without a keyspace is kept");
    }
  }

  /** Fails all waiting openings, as they would fail for the same reason. */
  private void failWaiting(Opening failed, LinkFailure failure) {
    Turns atPlace = turns.get(failed.place());
    if (atPlace != null) {
      List<Opening> waiting = List.copyOf(atPlace.waiting);
      atPlace.waiting.clear();
      waiting.forEach(each -> each.waiter().failed(failure));
    }
  }

  /** Checks the spare links for silence, and forgets closed ones. */
  void tick() {
    List.copyOf(spares.values()).forEach(Link::checkSilence);
    spares.values().removeIf(link -> !link.isOpen());
  }

  void close() {
    closed = true;
    spares.values().forEach(link -> link.close(STOPPING));
    spares.clear();
    turns.clear();
  }

  @Override
  public LinkConfig config() {
    return opener.config();
  }

  @Override
  public NodePulse pulse(NodeId node) {
    return opener.pulse(node);
  }

  private final class Keeper implements LinkWaiter {

    private final Opening opening;

    Keeper(Opening opening) {
      this.opening = opening;
    }

    @Override
    public void ready(Link link) {
      ended(opening, null);
      opening.waiter().ready(link);
    }

    @Override
    public void failed(LinkFailure failure) {
      if (!failure.refused() || failure.isLoginRefused()) {
        failWaiting(opening, failure);
      }
      ended(opening, null);
      opening.waiter().failed(failure);
    }

    @Override
    public void keyspaceRefused(Link loggedIn, LinkFailure failure) {
      ended(opening, loggedIn);
      opening.waiter().failed(failure);
    }
  }
}
