package io.sluice.server.live;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The open streams of data, a bounded number of them. Safe for any thread. */
final class Listeners {

  /** Each costs a response of some KB a second. */
  static final int MOST = 32;

  private final List<EventStream> open = new CopyOnWriteArrayList<>();

  /** Takes a stream in; false when there are as many as may be. */
  synchronized boolean add(EventStream stream) {
    open.removeIf(EventStream::isOver);
    return open.size() < MOST && open.add(stream);
  }

  boolean isEmpty() {
    open.removeIf(EventStream::isOver);
    return open.isEmpty();
  }

  void send(String data) {
    open.forEach(each -> each.send(data));
  }

  void close() {
    open.forEach(EventStream::end);
    open.clear();
  }
}
