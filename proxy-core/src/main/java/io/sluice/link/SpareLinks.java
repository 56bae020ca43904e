package io.sluice.link;

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
 * Opens the links of one lane, and keeps a link that is logged in but whose keyspace the node has
 * refused, one for each node and identity: it is asked for the next keyspace, so that a keyspace
 * that does not exist costs a question and no login. Of one identity few links in a keyspace are
 * opened at once at a node; the others wait. Not safe for several threads: one lane.
 */
final class SpareLinks implements LinkOpener {

  /** A client may name many keyspaces at once, and none of them need exist. */
  private static final int MOST_AT_ONCE = 4;

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

  /** The links in a keyspace that are being opened at one place, and those that wait for it. */
  private static final class Turns {
    final Queue<Opening> waiting = new ArrayDeque<>();
    int underWay;
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
    if (atPlace.underWay < MOST_AT_ONCE) {
      atPlace.underWay++;
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

          /** Of a spare link that was lost nothing follows for its node. */
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
   * One opening has ended: the next has its turn, through the lane so that none nests.
   *
   * @param spare a link that is left over, for the next one or to be kept
   */
  private void ended(Opening opening, @Nullable Link spare) {
    Turns atPlace = turns.get(opening.place());
    Opening next = atPlace == null ? null : atPlace.waiting.poll();
    if (next != null) {
      next.lane().execute(() -> openNext(next, spare));
      return;
    }
    if (atPlace != null && --atPlace.underWay == 0) {
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

  /** What cannot be reached for one cannot be reached for those that wait. */
  private void failWaiting(Opening failed, LinkFailure failure) {
    Turns atPlace = turns.get(failed.place());
    if (atPlace != null) {
      List<Opening> waiting = List.copyOf(atPlace.waiting);
      atPlace.waiting.clear();
      waiting.forEach(each -> each.waiter().failed(failure));
    }
  }

  /** Looks after the spare links, as after all others. */
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
