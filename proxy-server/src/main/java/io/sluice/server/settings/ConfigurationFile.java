package io.sluice.server.settings;

import ch.qos.logback.classic.Level;
import io.dropwizard.configuration.FileConfigurationSourceProvider;
import io.dropwizard.logging.common.BootstrapLogging;
import io.sluice.time.WallClock;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The configuration file, as an argument of commands. */
public final class ConfigurationFile {

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

  public String path() {
    if (path == null) {
      throw new ParameterException(
          Objects.requireNonNull(command).commandLine(),
          "the configuration file is missing, for example: server config.yml");
    }
    return path;
  }

  /**
   * Reads the file for a process whose settings can change. No reload runs before {@link
   * Reloads#begin}.
   *
   * @throws InvalidSettings with every fault of the file
   * @throws IOException when the file cannot be read
   */
  public Reloads reloads(WallClock time) throws IOException, InvalidSettings {
    Path absolute = Path.of(path()).toAbsolutePath();
    // Read before the settings, so that no change of the file is missed.
    ConfigurationText text = ConfigurationText.read(absolute);
    SettingsReader reader = reader();
    return new Reloads(absolute, text, new LiveSettings(reader, read(reader)), time);
  }

  /**
   * Reads the settings for a command that ends soon.
   *
   * @throws InvalidSettings with every fault of the file
   * @throws IOException when the file cannot be read
   */
  public Settings read() throws IOException, InvalidSettings {
    return read(reader()).settings();
  }

  private ReadFile read(SettingsReader reader) throws IOException, InvalidSettings {
    return reader.file(new FileConfigurationSourceProvider(), path());
  }

  /** Reads the settings like {@link #read}. Problems of this machine count as faults too. */
  public Settings check() throws IOException, InvalidSettings {
    return reader().check(new FileConfigurationSourceProvider(), path());
  }

  /**
   * Reads the settings as a reload of a running proxy does, which knows the addresses of its names.
   * No name is looked up, and the addresses of the result are not real.
   */
  public Settings checkFileOnly() throws IOException, InvalidSettings {
    return reader(SettingsFormat::assumed).read(new FileConfigurationSourceProvider(), path());
  }

  private static SettingsReader reader() {
    return reader(SettingsFormat::resolved);
  }

  private static SettingsReader reader(UnaryOperator<InetSocketAddress> lookup) {
    BootstrapLogging.bootstrap(Level.OFF);
    return new SettingsReader(System.getenv(), lookup);
  }
}
