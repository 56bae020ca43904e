package io.sluice.execute.dispatch;

import io.sluice.link.LinkKey;
import io.sluice.link.Links;
import io.sluice.ring.Node;
import io.sluice.time.Lane;
import io.sluice.wire.Frame;

/**
 * Sends requests to nodes. A node that does not know a prepared statement is told it, once, and
 * asked again, before the failure is told.
 */
public final class Dispatcher {

  private final Links links;
  private final PreparedTexts texts;

  /** Sends over {@code links}, and heals with {@code texts}. */
  public Dispatcher(Links links, PreparedTexts texts) {
    this.links = links;
    this.texts = texts;
  }

  /**
   * Makes ready to send {@code request} to {@code node}; takes the frame over. The attempt is
   * started on {@code lane}, where {@code listener} is called: once, unless it is abandoned before.
   */
  public Attempt attempt(
      Lane lane, Node node, LinkKey key, Frame request, AttemptListener listener) {
    return new Attempt(this, lane, node, key, request, listener);
  }

  Links links() {
    return links;
  }

  PreparedTexts texts() {
    return texts;
  }
}
