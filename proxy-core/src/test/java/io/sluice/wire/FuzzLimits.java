package io.sluice.wire;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.AppenderBase;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/**
 * The limits of one input of a fuzz target: all its buffers are released, the log has no error and
 * few other lines, and the input ends. A static extension of the target's class, so that no input
 * creates a logger or a thread. Not safe for several threads.
 */
public final class FuzzLimits implements BeforeAllCallback, AfterAllCallback {

  private static final int INPUTS_A_REPORT = 1 << 16;
  private static final long NANOS_A_MILLISECOND = 1_000_000;

  private final CountedBuffers buffers;
  private final FrameCounter counter = new FrameCounter();
  private final Lines lines = new Lines();
  private final Logger logger = (Logger) LoggerFactory.getLogger("io.sluice");
  private final HangWatch watch = new HangWatch();
  private String target = "";
  private long mostLines;
  private long inputs;

  /**
   * Creates the limits of a target.
   *
   * @param buffers the allocator of all its inputs; only one, because it returns its memory late
   */
  public FuzzLimits(CountedBuffers buffers) {
    this.buffers = buffers;
  }

  /** Plays one input, which throws nothing and keeps the limits. */
  public void check(byte[] input, Runnable play) {
    long held = buffers.held();
    lines.clear();
    mostLines = 0;
    watch.begin(input);
    try {
      play.run();
    } finally {
      watch.end();
    }
    if (buffers.held() != held) {
      throw new AssertionError("buffers held: " + (buffers.held() - held));
    }
    lines.check(mostLines);
    if (++inputs % INPUTS_A_REPORT == 0) {
      report();
    }
  }

  /** Allows this many lines of INFO and WARN for the current input; none without a call. */
  public void linesAtMost(long most) {
    mostLines = most;
  }

  /** Returns a handler behind the reader that counts frames, whether they are valid or refused. */
  public ChannelHandler counter() {
    return counter;
  }

  /** Counts a frame that no reader has read. */
  public void frame() {
    counter.frames++;
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    target = context.getDisplayName();
    lines.start();
    logger.setLevel(Level.INFO);
    logger.setAdditive(false);
    logger.addAppender(lines);
    watch.start();
  }

  @Override
  public void afterAll(ExtensionContext context) {
    watch.close();
    logger.detachAppender(lines);
    logger.setAdditive(true);
    logger.setLevel(null);
    report();
  }

  private void report() {
    if (System.getenv("JAZZER_FUZZ") != null || Long.getLong("sluice.fuzz.seconds") != null) {
      System.err.printf(
          "%s: %,d inputs, %,d frames, %,d ms of the processor%n",
          target,
          inputs,
          counter.frames,
          HangWatch.cpuNanos(Thread.currentThread()) / NANOS_A_MILLISECOND);
    }
  }

  @ChannelHandler.Sharable
  private static final class FrameCounter extends ChannelInboundHandlerAdapter {
    private long frames;

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      frames++;
      ctx.fireChannelRead(message);
    }
  }

  /** The log lines of the current input. */
  private static final class Lines extends AppenderBase<ILoggingEvent> {
    private long count;
    private @Nullable ILoggingEvent error;

    @Override
    protected void append(ILoggingEvent event) {
      count++;
      if (event.getLevel().isGreaterOrEqual(Level.ERROR)) {
        error = event;
      }
    }

    void clear() {
      count = 0;
      error = null;
    }

    void check(long most) {
      if (error != null) {
        IThrowableProxy cause = error.getThrowableProxy();
        throw new AssertionError(
            "in the log: "
                + error.getFormattedMessage()
                + (cause == null ? "" : ", " + cause.getClassName() + ": " + cause.getMessage()));
      }
      if (count > most) {
        throw new AssertionError("log lines: " + count + ", at most: " + most);
      }
    }
  }
}
