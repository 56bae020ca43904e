package io.sluice.server;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.sluice.console.HostView.LogLine;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import org.slf4j.LoggerFactory;

/** The last warnings and errors of the log, limited in number and length. Safe for any thread. */
final class LastWarnings extends AppenderBase<ILoggingEvent> {

  private static final int MAX_LINES = 200;
  private static final int MAX_TEXT = 1_000;

  private final ArrayDeque<LogLine> lines = new ArrayDeque<>();
  private long written;

  /** Starts to keep the warnings and errors of the process's log. */
  static LastWarnings follow() {
    LastWarnings warnings = new LastWarnings();
    Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
    warnings.setContext(root.getLoggerContext());
    warnings.start();
    root.addAppender(warnings);
    return warnings;
  }

  @Override
  protected void append(ILoggingEvent event) {
    if (!event.getLevel().isGreaterOrEqual(Level.WARN)) {
      return;
    }
    String text = event.getFormattedMessage();
    String source = event.getLoggerName();
    String cut = text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + " ...";
    Instant time = Instant.ofEpochMilli(event.getTimeStamp());
    String last = source.substring(source.lastIndexOf('.') + 1);
    synchronized (lines) {
      lines.add(new LogLine(++written, time, event.getLevel().toString(), last, cut));
      if (lines.size() > MAX_LINES) {
        lines.remove();
      }
    }
  }

  /** Returns these lines, the oldest first. */
  List<LogLine> lines() {
    synchronized (lines) {
      return List.copyOf(lines);
    }
  }
}
