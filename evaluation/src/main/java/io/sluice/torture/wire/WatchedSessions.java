package io.sluice.torture.wire;

import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.session.ProgrammaticArguments;
import com.datastax.oss.driver.internal.core.channel.ChannelFactory;
import com.datastax.oss.driver.internal.core.context.DefaultDriverContext;
import com.datastax.oss.driver.internal.core.context.DefaultNettyOptions;
import com.datastax.oss.driver.internal.core.context.InternalDriverContext;
import com.datastax.oss.driver.internal.core.context.NettyOptions;
import io.netty.channel.Channel;
import java.util.function.Consumer;

/**
 * Builds sessions of the stock driver that report surplus answers on each connection, in the
 * driver's threads.
 */
public final class WatchedSessions extends CqlSessionBuilder {
  private final Consumer<String> report;

  /**
   * Creates a builder.
   *
   * @param report gets each surplus answer, with its stream id; safe for any thread
   */
  public WatchedSessions(Consumer<String> report) {
    this.report = report;
  }

  @Override
  protected DriverContext buildContext(
      DriverConfigLoader settings, ProgrammaticArguments arguments) {
    return new WatchedContext(settings, arguments, report);
  }

  /** The driver's context, with a handler in the pipeline of each connection. */
  private static final class WatchedContext extends DefaultDriverContext {
    private final Consumer<String> report;

    WatchedContext(
        DriverConfigLoader settings, ProgrammaticArguments arguments, Consumer<String> report) {
      super(settings, arguments);
      this.report = report;
    }

    @Override
    protected NettyOptions buildNettyOptions() {
      return new WatchedConnections(this, report);
    }
  }

  /** The driver's own Netty settings, with a further handler. */
  private static final class WatchedConnections extends DefaultNettyOptions {
    private final Consumer<String> report;

    WatchedConnections(InternalDriverContext context, Consumer<String> report) {
      super(context);
      this.report = report;
    }

    @Override
    public void afterChannelInitialized(Channel channel) {
      channel
          .pipeline()
          .addBefore(ChannelFactory.INFLIGHT_HANDLER_NAME, "surplus", new SurplusAnswers(report));
    }
  }
}
