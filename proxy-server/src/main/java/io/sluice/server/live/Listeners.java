package io.sluice.server.live;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The open streams of data, limited in number. Safe for any thread. */
final class Listeners {

  /** Maximum number of streams. Each costs a response of some KB per second. */
  static final int MAX_STREAMS = 32;

  private final List<EventStream> open = new CopyOnWriteArrayList<>();

  /** Adds a stream. Returns false when the maximum is reached. */
  synchronized boolean add(EventStream stream) {
    open.removeIf(EventStream::isOver);
    return open.size() < MAX_STREAMS && open.add(stream);
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
