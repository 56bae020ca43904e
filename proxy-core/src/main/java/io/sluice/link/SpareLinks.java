package io.sluice.link;

import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.time.Lane;
import io.sluice.wire.Identity;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Opens the links of one lane, and keeps a link that is logged in but whose keyspace the node has
 * refused, one for each node and identity: it is asked for the next keyspace, so that a keyspace
 * that does not exist costs a question and no login.
 */
final class SpareLinks implements LinkOpener {

  private final LinkOpener opener;
  private final Map<Place, Link> spares = new HashMap<>();
  private boolean closed;

  private record Place(NodeId node, Identity identity, int version) {}

  SpareLinks(LinkOpener opener) {
    this.opener = opener;
  }

  @Override
  public void openReady(Lane lane, Node node, LinkKey key, LinkWaiter waiter) {
    Place place = new Place(node.id(), key.identity(), key.version());
    LinkWaiter keeper = new Keeper(place, waiter);
    Link spare = key.keyspace() == null ? null : spares.remove(place);
    if (spare == null || !spare.isOpen()) {
      opener.openReady(lane, node, key, keeper);
      return;
    }
    NodeHandshake.use(
        spare,
        key,
        config(),
        lane,
        new LinkWaiter() {
          @Override
          public void ready(Link link) {
            keeper.ready(link);
          }

          /** Of a spare link that was lost nothing follows for its node. */
          @Override
          public void failed(LinkFailure failure) {
            opener.openReady(lane, node, key, keeper);
          }

          @Override
          public void keyspaceRefused(Link loggedIn, LinkFailure failure) {
            keeper.keyspaceRefused(loggedIn, failure);
          }
        });
  }

  /** Looks after the spare links, as after all others. */
  void tick() {
    List.copyOf(spares.values()).forEach(Link::checkSilence);
    spares.values().removeIf(link -> !link.isOpen());
  }

  void close() {
    closed = true;
    spares.values().forEach(link -> link.close("Sluice is stopping"));
    spares.clear();
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

    private final Place place;
    private final LinkWaiter waiter;

    Keeper(Place place, LinkWaiter waiter) {
      this.place = place;
      this.waiter = waiter;
    }

    @Override
    public void ready(Link link) {
      waiter.ready(link);
    }

    @Override
    public void failed(LinkFailure failure) {
      waiter.failed(failure);
    }

    @Override
    public void keyspaceRefused(Link loggedIn, LinkFailure failure) {
      if (closed || spares.putIfAbsent(place, loggedIn) != null) {
        loggedIn.close(failure.message());
      }
      waiter.failed(failure);
    }
  }
}
