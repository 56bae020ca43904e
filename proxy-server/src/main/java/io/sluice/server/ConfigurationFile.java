package io.sluice.server;

import ch.qos.logback.classic.Level;
import io.dropwizard.configuration.FileConfigurationSourceProvider;
import io.dropwizard.logging.common.BootstrapLogging;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The configuration file, as an argument of commands. */
final class ConfigurationFile {

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec command;

  @Parameters(
      arity = "0..1",
      paramLabel = "CONFIG.YML",
      description = {
        "The configuration file. In it, $${NAME:-default} stands for an environment variable,"
            + " and $${file:/path} for the content of a file."
      })
  private @Nullable String path;

  String path() {
    if (path == null) {
      throw new ParameterException(
          Objects.requireNonNull(command).commandLine(),
          "the configuration file is missing, for example: server config.yml");
    }
    return path;
  }

  /**
   * Reads the file for a process whose settings can change.
   *
   * @throws InvalidSettings with every fault of the file
   * @throws IOException when the file cannot be read
   */
  LiveSettings live() throws IOException, InvalidSettings {
    SettingsReader reader = reader();
    return new LiveSettings(reader, reader.file(new FileConfigurationSourceProvider(), path()));
  }

  /** Reads the file for a command that ends soon. Problems of this machine count as faults too. */
  Settings check() throws IOException, InvalidSettings {
    return reader().check(new FileConfigurationSourceProvider(), path());
  }

  private static SettingsReader reader() {
    BootstrapLogging.bootstrap(Level.OFF);
    return new SettingsReader(System.getenv());
  }
}
