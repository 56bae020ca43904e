package io.sluice.server.settings;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;

/** Requests that wait until a thread takes all of them. Safe for any thread. */
final class Mailbox<T> {

  @GuardedBy("this")
  private List<T> waiting = new ArrayList<>();

  @GuardedBy("this")
  private boolean closed;

  /** Adds a request. Returns false after {@link #close}; the request is not added then. */
  synchronized boolean add(T request) {
    if (!closed) {
      waiting.add(request);
    }
    return !closed;
  }

  /** Removes and returns all requests, the first one first. */
  synchronized List<T> takeAll() {
    List<T> all = waiting;
    waiting = new ArrayList<>();
    return all;
  }

  /** Accepts no further requests. Those that wait stay. */
  synchronized void close() {
    closed = true;
  }
}
