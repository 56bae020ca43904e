package io.sluice.server.settings;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.spi.AppenderAttachable;
import com.codahale.metrics.MetricRegistry;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.dropwizard.logging.common.DefaultLoggingFactory;
import java.util.Iterator;
import org.slf4j.LoggerFactory;

/**
 * The section {@code logging}: Dropwizard's section with a format for all appenders of the root
 * logger.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NONE)
public final class LogSettings extends DefaultLoggingFactory {

  /** The format of a line. */
  public enum Format {
    /** The appender's pattern. */
    TEXT,
    /** A JSON object. */
    JSON
  }

  private Format format = Format.TEXT;

  /** Called by Jackson. */
  public Format getFormat() {
    return format;
  }

  /** Called by Jackson. */
  public void setFormat(Format format) {
    this.format = format;
  }

  @Override
  public void configure(MetricRegistry metrics, String name) {
    super.configure(metrics, name);
    if (format == Format.JSON) {
      Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
      asJson(root);
    }
  }

  /**
   * Sets the encoder of each appender that writes. Dropwizard wraps such an appender in one that
   * does not block.
   */
  private static void asJson(AppenderAttachable<ILoggingEvent> parent) {
    Iterator<Appender<ILoggingEvent>> appenders = parent.iteratorForAppenders();
    while (appenders.hasNext()) {
      Appender<ILoggingEvent> each = appenders.next();
      if (each instanceof OutputStreamAppender<ILoggingEvent> writer) {
        JsonEncoder encoder = new JsonEncoder();
        encoder.setContext(each.getContext());
        encoder.setWithSequenceNumber(false);
        encoder.setWithNanoseconds(false);
        encoder.setWithContext(false);
        encoder.setWithMDC(false);
        encoder.setWithMessage(false);
        encoder.setWithArguments(false);
        encoder.setWithFormattedMessage(true);
        encoder.start();
        writer.setEncoder(encoder);
      } else if (each instanceof AppenderAttachable<?>) {
        asJson(wrapper(each));
      }
    }
  }

  @SuppressWarnings("unchecked")
  private static AppenderAttachable<ILoggingEvent> wrapper(Appender<ILoggingEvent> appender) {
    return (AppenderAttachable<ILoggingEvent>) appender;
  }
}
