package io.sluice.tls;

import io.sluice.setting.Requirements;
import java.util.List;

/**
 * The settings of TLS on one side of the proxy.
 *
 * @param side the side of the proxy
 * @param mode whether connections are encrypted; OPTIONAL only towards clients
 * @param keys the certificate of this side; required where connections are accepted
 * @param trust the authorities that may issue the other side's certificate
 * @param clientAuth whether a client sends a certificate; NONE towards nodes
 * @param hostCheck the name that a node's certificate must contain; ignored elsewhere
 * @param protocols TLSv1.2, TLSv1.3 or both
 * @param ciphers cipher suites by their JSSE names, best first; empty for those of the JVM
 */
public record TlsConfig(
    Side side,
    Mode mode,
    TlsKeys keys,
    TlsTrust trust,
    ClientAuth clientAuth,
    HostCheck hostCheck,
    List<String> protocols,
    List<String> ciphers) {

  /** The supported protocol versions, newest first. */
  public static final List<String> PROTOCOLS = List.of("TLSv1.3", "TLSv1.2");

  /** A side of the proxy. */
  public enum Side {
    /** The CQL port. */
    CLIENT("cql.tls"),
    /** Connections to nodes. */
    NODE("cluster.tls"),
    /** The admin port. */
    ADMIN("admin.tls");

    private final String section;

    Side(String section) {
      this.section = section;
    }

    /** Returns the section of this side's settings. */
    public String section() {
      return section;
    }
  }

  /** Whether connections are encrypted. */
  public enum Mode {
    /** No connection is encrypted. */
    OFF,
    /** The client decides with its first byte. One port serves both kinds. */
    OPTIONAL,
    /** All connections are encrypted. */
    REQUIRED
  }

  /** Whether a client sends a certificate. */
  public enum ClientAuth {
    /** The client is not asked for a certificate. */
    NONE,
    /** The client is asked for a certificate. If it sends one, the certificate must be trusted. */
    WANT,
    /** The client must send a trusted certificate. */
    REQUIRE
  }

  public TlsConfig {
    protocols = List.copyOf(protocols);
    ciphers = List.copyOf(ciphers);
    if (mode != Mode.OFF) {
      boolean accepts = side != Side.NODE;
      Requirements requirements = Requirements.of(side.section());
      requirements
          .that(
              mode == Mode.REQUIRED || side == Side.CLIENT,
              "mode",
              mode,
              "must be off or required",
              "an attacker could take encryption away from an optional one")
          .that(
              keys.isSet() || keys.key() != null || !accepts,
              "certificate",
              "nothing",
              "must be set, or keyStore",
              "name the PEM files certificate and key, or a keyStore")
          .that(
              clientAuth == ClientAuth.NONE || trust.isSet(),
              "trust",
              "nothing",
              "must be set where clientAuth is not none",
              "name the PEM file of the clients' certificate authority")
          .that(
              !protocols.isEmpty() && PROTOCOLS.containsAll(protocols),
              "protocols",
              protocols,
              "must be TLSv1.3, TLSv1.2 or both");
      keys.check(requirements);
      trust.check(requirements);
      requirements.check();
    }
  }

  /** Returns the settings of a side without TLS. */
  public static TlsConfig off(Side side) {
    return new TlsConfig(
        side,
        Mode.OFF,
        TlsKeys.NONE,
        TlsTrust.DEFAULT,
        ClientAuth.NONE,
        HostCheck.ADDRESS,
        PROTOCOLS,
        List.of());
  }

  /** Whether connections may be encrypted. */
  public boolean isOn() {
    return mode != Mode.OFF;
  }
}
