package io.sluice.link;

import io.sluice.link.Link.LinkWaiter;
import org.jspecify.annotations.Nullable;

/** The outcome of a request for a link; both fields are null until then. */
final class LinkOutcome implements LinkWaiter {
  @Nullable Link link;
  @Nullable LinkFailure failure;

  @Override
  public void ready(Link ready) {
    link = ready;
  }

  @Override
  public void failed(LinkFailure why) {
    failure = why;
  }
}
