package io.sluice.link;

/** Waits for a link; exactly one of the two is called, on the lane that asked. */
public interface LinkWaiter {

  void ready(Link link);

  void failed(LinkFailure failure);
}
