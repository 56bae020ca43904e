package io.sluice.wire;

import io.netty.channel.Channel;
import io.netty.channel.epoll.EpollSocketChannel;

/**
 * The bytes that the other end of a connection has received and its application has not read: they
 * lie in that system's memory, where nothing can overtake them. Not safe for several threads: one
 * lane.
 */
public interface ReceiverBacklog {

  /** A backlog that cannot be measured. */
  ReceiverBacklog UNKNOWN =
      new ReceiverBacklog() {
        @Override
        public long bytes() {
          return 0;
        }

        @Override
        public void forget() {}
      };

  /** That of a connection, {@link #UNKNOWN} where its system does not say. */
  static ReceiverBacklog of(Channel channel) {
    return channel instanceof EpollSocketChannel epoll ? new TcpReceiveWindow(epoll) : UNKNOWN;
  }

  /** Bytes not read, as far as is known; at least 0. */
  long bytes();

  /** Whatever seems to be unread is not: from here on it is counted anew. */
  void forget();
}
