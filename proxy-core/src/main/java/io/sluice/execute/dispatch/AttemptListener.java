package io.sluice.execute.dispatch;

/** Told what came of an attempt, on the lane that made it. */
public interface AttemptListener {

  /** It is over; nothing more is said of it. */
  void ended(NodeAnswer answer);

  /**
   * The node has gone silent; the answer may still come.
   *
   * @param sent whether the node may have seen the request
   */
  void silent(boolean sent);
}
