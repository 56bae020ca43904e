package io.sluice.testkit;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/**
 * The lines of some loggers, from INFO on, instead of their output. It ends with {@link #close}, or
 * with a test that registers it as an extension; then the loggers are as before. Needs Logback,
 * which this module does not bring along. Safe for any thread.
 */
public final class CapturedLog implements AfterEachCallback, AutoCloseable {

  private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();
  private final List<Runnable> restore = new ArrayList<>();

  private CapturedLog(Stream<String> names) {
    AppenderBase<ILoggingEvent> appender =
        new AppenderBase<>() {
          @Override
          protected void append(ILoggingEvent event) {
            events.add(event);
          }
        };
    appender.start();
    names.forEach(name -> capture((Logger) LoggerFactory.getLogger(name), appender));
  }

  /** Begins to capture the lines of loggers with these names. */
  public static CapturedLog of(String... names) {
    return new CapturedLog(Stream.of(names));
  }

  /** Begins to capture the lines of the loggers of these classes. */
  public static CapturedLog of(Class<?>... classes) {
    return new CapturedLog(Stream.of(classes).map(Class::getName));
  }

  private void capture(Logger logger, AppenderBase<ILoggingEvent> appender) {
    Level level = logger.getLevel();
    boolean additive = logger.isAdditive();
    logger.setLevel(Level.INFO);
    logger.setAdditive(false);
    logger.addAppender(appender);
    restore.add(
        () -> {
          logger.detachAppender(appender);
          logger.setLevel(level);
          logger.setAdditive(additive);
        });
  }

  /** Returns the lines so far, without level and time. */
  public List<String> lines() {
    return events.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  /** Returns the warnings so far, without time. */
  public List<String> warnings() {
    return events.stream()
        .filter(event -> event.getLevel() == Level.WARN)
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }

  @Override
  public void close() {
    restore.forEach(Runnable::run);
    restore.clear();
  }

  @Override
  public void afterEach(ExtensionContext context) {
    close();
  }
}
