package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class CapturedLogTest {

  private static final Logger ONE = (Logger) LoggerFactory.getLogger("captured.one");
  private static final Logger OTHER = (Logger) LoggerFactory.getLogger("captured.other");

  @Test
  void the_lines_of_the_named_loggers_are_kept_in_order() {
    try (CapturedLog log = CapturedLog.of("captured.one", "captured.other")) {
      ONE.info("first {}", 1);
      OTHER.warn("second");
      LoggerFactory.getLogger("captured.third").warn("not this one");
      assertThat(log.lines()).containsExactly("first 1", "second");
      assertThat(log.warnings()).containsExactly("second");
    }
  }

  @Test
  void lines_below_info_are_left_out_whatever_the_level_was() {
    ONE.setLevel(Level.DEBUG);
    OTHER.setLevel(Level.OFF);
    try (CapturedLog log = CapturedLog.of("captured.one", "captured.other")) {
      ONE.debug("too fine");
      OTHER.info("shown");
      assertThat(log.lines()).containsExactly("shown");
    }
    assertThat(ONE.getLevel()).isEqualTo(Level.DEBUG);
    assertThat(OTHER.getLevel()).isEqualTo(Level.OFF);
  }

  @Test
  void nothing_is_captured_after_the_end_and_the_logger_is_as_before() {
    CapturedLog log = CapturedLog.of(CapturedLogTest.class);
    Logger logger = (Logger) LoggerFactory.getLogger(CapturedLogTest.class);
    assertThat(logger.isAdditive()).isFalse();
    log.close();
    logger.warn("late");
    assertThat(log.lines()).isEmpty();
    assertThat(logger.isAdditive()).isTrue();
    assertThat(logger.iteratorForAppenders().hasNext()).isFalse();
  }

  @Test
  void one_log_can_be_captured_twice() {
    try (CapturedLog outer = CapturedLog.of("captured.one")) {
      try (CapturedLog inner = CapturedLog.of("captured.one")) {
        ONE.info("both");
        assertThat(inner.lines()).containsExactly("both");
      }
      ONE.info("outer");
      assertThat(outer.lines()).containsExactly("both", "outer");
    }
  }
}
