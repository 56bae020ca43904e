package io.sluice.execute.dispatch;

/** Told what became of an attempt, on the lane that made it. */
public interface AttemptListener {

  /** It is over; nothing more is said of it, unless this method throws. */
  void ended(NodeAnswer answer);

  /**
   * It is over, and the answer could not be handled: the request ends with an error, and gives back
   * what it holds. May follow {@link #ended}.
   */
  void broke(Throwable cause);

  /**
   * The node is silent; called again while it stays so. The answer may still come.
   *
   * @param sent whether the node may have seen the request
   */
  void silent(boolean sent);
}
