package io.sluice.execute.dispatch;

import io.sluice.execute.dispatch.Attempt.AttemptListener;
import io.sluice.link.LinkKey;
import io.sluice.link.Links;
import io.sluice.ring.Node;
import io.sluice.time.Lane;
import io.sluice.wire.Frame;

/**
 * Sends requests to nodes. When a node answers UNPREPARED, the dispatcher prepares the statement
 * there and sends the request again, once, before it reports the error.
 */
public final class Dispatcher {

  private final Links links;
  private final PreparedTexts texts;

  /**
   * Creates a dispatcher that sends over {@code links} and prepares forgotten statements from
   * {@code texts}.
   */
  public Dispatcher(Links links, PreparedTexts texts) {
    this.links = links;
    this.texts = texts;
  }

  /**
   * Creates an attempt to send {@code request} to {@code node}. Takes the frame over. The caller
   * starts the attempt on {@code lane}, where the outcome is reported once, unless the attempt is
   * abandoned before.
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
