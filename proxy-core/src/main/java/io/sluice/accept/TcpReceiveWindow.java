package io.sluice.accept;

import io.netty.channel.ChannelException;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.unix.RawUnixChannelOption;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Estimates unread bytes from the TCP receive window that the peer advertises: the difference
 * between the widest window so far and the current one. On Linux the sender reads the window from
 * {@code tcpi_snd_wnd} of {@code TCP_INFO} (since 5.4; {@code include/uapi/linux/tcp.h}).
 */
final class TcpReceiveWindow implements ReceiverBacklog {

  private static final int IPPROTO_TCP = 6;
  private static final int TCP_INFO = 11;
  private static final int WINDOW_AT = 228;
  private static final RawUnixChannelOption INFO =
      new RawUnixChannelOption("TCP_INFO", IPPROTO_TCP, TCP_INFO, WINDOW_AT + Integer.BYTES);

  private final EpollSocketChannel channel;
  private long widest;

  TcpReceiveWindow(EpollSocketChannel channel) {
    this.channel = channel;
  }

  @Override
  public long bytes() {
    long now = window();
    widest = Math.max(widest, now);
    return widest - now;
  }

  @Override
  public void forget() {
    widest = window();
  }

  /** Returns the receiver's current window in bytes; 0 also where the system does not report it. */
  private long window() {
    try {
      ByteBuffer info = channel.config().getOption(INFO);
      return info == null || info.limit() < WINDOW_AT + Integer.BYTES
          ? 0
          : Integer.toUnsignedLong(info.order(ByteOrder.nativeOrder()).getInt(WINDOW_AT));
    } catch (ChannelException e) {
      // The channel is closed.
      return widest;
    }
  }
}
