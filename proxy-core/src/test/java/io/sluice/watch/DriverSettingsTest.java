package io.sluice.watch;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import org.junit.jupiter.api.Test;

/** Tests the settings of the driver that its defaults do not give. */
class DriverSettingsTest {

  /**
   * The row of an address in {@code sluice.learned} may have been written on another machine, or
   * before its clock was set back.
   */
  @Test
  void a_write_without_a_time_of_its_own_has_that_of_the_node() {
    try (DriverConfigLoader loader = DriverSettings.loader()) {
      assertThat(
              loader
                  .getInitialConfig()
                  .getDefaultProfile()
                  .getString(DefaultDriverOption.TIMESTAMP_GENERATOR_CLASS))
          .endsWith("ServerSideTimestampGenerator");
    }
  }
}
