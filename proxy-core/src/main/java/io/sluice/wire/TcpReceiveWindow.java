package io.sluice.wire;

import io.netty.channel.ChannelException;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.unix.RawUnixChannelOption;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A TCP receiver advertises how much it has room for. What is missing of the most that it ever
 * advertised is what it has not read. On Linux the sender is told by {@code tcpi_snd_wnd} of {@code
 * TCP_INFO} (since 5.4; {@code include/uapi/linux/tcp.h}).
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

  /** What the receiver has room for; 0 as well where the system does not tell. */
  private long window() {
    try {
      ByteBuffer info = channel.config().getOption(INFO);
      return info == null || info.limit() < WINDOW_AT + Integer.BYTES
          ? 0
          : Integer.toUnsignedLong(info.order(ByteOrder.nativeOrder()).getInt(WINDOW_AT));
    } catch (ChannelException e) {
      // It is closed.
      return widest;
    }
  }
}
