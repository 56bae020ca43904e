package io.sluice.server.tool;

import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import io.sluice.setting.RefusedSettings;
import io.sluice.tls.Tls;
import io.sluice.tls.TlsConfig;
import io.sluice.tls.TlsConfig.ClientAuth;
import io.sluice.tls.TlsConfig.HostCheck;
import io.sluice.tls.TlsConfig.Mode;
import io.sluice.tls.TlsConfig.Side;
import io.sluice.tls.TlsConfig.TlsKeys;
import io.sluice.tls.TlsConfig.TlsTrust;
import io.sluice.watch.DriverTls;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of commands that log in to a proxy or a node, with or without TLS. */
final class LoginOptions {

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec command;

  @Option(
      names = {"-u", "--username"},
      paramLabel = "ROLE",
      description = "The role to log in with. Its password is read from SLUICE_PASSWORD.")
  private @Nullable String username;

  @Option(names = "--tls", description = "Use TLS. The other options about certificates imply it.")
  private boolean tls;

  @Option(
      names = "--trust",
      paramLabel = "FILE",
      description =
          "A PEM file with the authorities that may issue the server's certificate. Default: those"
              + " that the JVM trusts.")
  private @Nullable String trust;

  @Option(
      names = "--server-name",
      paramLabel = "NAME",
      description = "The name that the server's certificate must contain. Default: its address.")
  private @Nullable String serverName;

  @Option(
      names = "--certificate",
      paramLabel = "FILE",
      description = "A PEM file with a certificate for servers that require one of their clients.")
  private @Nullable String certificate;

  @Option(
      names = "--key",
      paramLabel = "FILE",
      description = "The PEM file of its private key, which is not encrypted.")
  private @Nullable String key;

  /**
   * Returns a builder of a session without contact points.
   *
   * @param application the name in the server's list of clients
   */
  CqlSessionBuilder session(String application) {
    CqlSessionBuilder builder = ToolSession.builder(application);
    String password = System.getenv("SLUICE_PASSWORD");
    if (username != null) {
      builder.withAuthCredentials(username, password == null ? "" : password);
    }
    if (tls || trust != null || serverName != null || certificate != null || key != null) {
      builder.withSslEngineFactory(new DriverTls(load()));
    }
    return builder;
  }

  private Tls load() {
    try {
      return Tls.load(
          new TlsConfig(
              Side.NODE,
              Mode.REQUIRED,
              new TlsKeys(certificate, key, null, null, null),
              new TlsTrust(trust, null, null),
              ClientAuth.NONE,
              new HostCheck(true, serverName),
              TlsConfig.PROTOCOLS,
              List.of()));
    } catch (RefusedSettings e) {
      String options = String.valueOf(e.getMessage()).replace(Side.NODE.section() + ".", "--");
      throw new ParameterException(Objects.requireNonNull(command).commandLine(), options, e);
    }
  }
}
