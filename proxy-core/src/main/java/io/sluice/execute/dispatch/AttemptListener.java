package io.sluice.execute.dispatch;

/** Receives the outcome of an attempt, on the lane that created it. */
public interface AttemptListener {

  /** Called when the attempt has ended. No call follows, unless this method throws. */
  void ended(NodeAnswer answer);

  /**
   * Called when the handling of the answer has thrown. The request must end with an error and
   * release its resources. May follow {@link #ended}.
   */
  void broke(Throwable cause);

  /**
   * Called when the node is silent, and again while it stays silent. The answer may still come.
   *
   * @param sent whether the node may have seen the request
   */
  void silent(boolean sent);
}
