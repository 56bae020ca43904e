package io.sluice.accept;

import io.netty.channel.Channel;
import io.netty.channel.epoll.EpollSocketChannel;

/**
 * The bytes that the peer's system has received but its application has not read. No later response
 * can overtake these bytes. Not safe for several threads: one lane.
 */
interface ReceiverBacklog {

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

  /** Returns the backlog of a connection; {@link #UNKNOWN} where this system does not report it. */
  static ReceiverBacklog of(Channel channel) {
    return channel instanceof EpollSocketChannel epoll ? new TcpReceiveWindow(epoll) : UNKNOWN;
  }

  /** Returns the unread bytes as far as known; at least 0. */
  long bytes();

  /** Resets the estimate: all bytes so far count as read. */
  void forget();
}
